#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that cannot run TypeScript can say so.
import { existsSync } from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"

const least = 24
if (parseInt(process.versions.node) < least) {
  const isClone = existsSync(fileURLToPath(new URL("../Makefile", import.meta.url)))
  console.error(
    `event-export needs Node.js ${least} or newer, and this is ${process.version}. Nothing was started. ` +
      (isClone
        ? `"make run" fetches a newer one; eval "$(make shell)" puts it on PATH.`
        : `Install a newer Node.js, and run the same command again.`),
  )
  process.exit(1)
}
await import("./cli/main.ts")
