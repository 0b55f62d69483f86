import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Test } from "tap"

/** A secret that the service accepts. */
export const goodSecret = "kT9wq2Zr7LmX4vBn8HsD1fGj6PyC3eUa"

/** A configuration that the service accepts. */
export const goodConfig = `server:
  host: 127.0.0.1
  port: 8080
database:
  url: sqlite:test.db
session:
  secrets: [${goodSecret}]
plugins:
  - use: session
  - use: connector-b
    with:
      segment: connector-b
      organizations: [acme]
`

/** Creates a temporary folder, and a function that writes a configuration there and returns its path. */
export function configFolder(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const write = (text: string): string => {
    const file = join(folder, "config.yaml")
    writeFileSync(file, text)
    return file
  }
  return { folder, write }
}
