#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that cannot run TypeScript can say so.
import process from "node:process"

const least = 24
if (parseInt(process.versions.node) < least) {
  console.error(
    `event-export needs Node.js ${least} or newer, and this is ${process.version}. Nothing was started. ` +
      `"make run" fetches a newer one; eval "$(make shell)" puts it on PATH.`,
  )
  process.exit(1)
}
await import("./cli/main.ts")
