import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Test } from "tap"
import { ConfigError, type ConfigProblem } from "../../core/config/problem.ts"

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

/** Returns what a configuration is refused for. @throws {Error} if it is not refused. */
export async function problemsOf(reading: Promise<unknown>): Promise<readonly ConfigProblem[]> {
  const error = await reading.then(() => undefined, (error: unknown) => error)
  if (!(error instanceof ConfigError)) throw new Error("it was not refused", { cause: error })
  return error.problems
}

/** Tests that a configuration is refused for these problems alone, each the beginning of `line:column message`. */
export async function testProblems(
  t: Test,
  reading: Promise<unknown>,
  expected: readonly string[],
): Promise<void> {
  const problems = await problemsOf(reading)
  const shown = problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
  for (const problem of expected) {
    t.ok(shown.some((text) => text.startsWith(problem)), `${problem}\nin\n${shown.join("\n")}`)
  }
  t.equal(shown.length, expected.length, shown.join("\n"))
}
