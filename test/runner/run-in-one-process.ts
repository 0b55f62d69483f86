// Runs the test files that the parent process names, one after the other: starting a process per file takes
// longer than quick tests themselves. Prints TAP, with a mark after the tests of each file.
import { once } from "node:events"
import { resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import t from "tap"
import { endOfFile } from "../support/test-filter.ts"
import { limitTests } from "./limit-tests.ts"
import { isSoak } from "./test-files.ts"
import { stopwatch } from "./times.ts"

// With a teardown of its own, tap's outermost test would end as soon as nothing runs: while the next
// file is being loaded, say. So each file's teardowns run at its mark.
const teardowns: (() => unknown)[] = []
t.teardown = (work: () => unknown) => void teardowns.unshift(work)
// The parent limits the time of each file. Tap would limit that of all.
t.setTimeout = (limit: number) => void process.send?.({ limit })

/** The time limit of an everyday test, in milliseconds. Those of soak tests have their file's. */
const everydayLimit = 30_000

let file = ""
limitTests(t, (path) => {
  process.send?.({ test: path.join(" > ") })
  return isSoak(file) ? undefined : everydayLimit
})

for (;;) {
  const asking = once(process, "message")
  // Only the channel keeps the process alive now, and nothing but tests while they run.
  process.channel?.ref()
  process.send?.({ next: true })
  const [{ file: name }] = await asking
  process.channel?.unref()
  if (name === undefined) break
  file = name
  const times = stopwatch()
  await import(pathToFileURL(resolve(name)).href).catch((error: unknown) => {
    void t.test(name, () => Promise.reject(error))
  })
  // Subtests run in order, so this one ends when those of the file have ended.
  let isMarked = false
  await t.test(`${endOfFile}${name}`, async () => {
    isMarked = true
    for (const work of teardowns.splice(0)) await work()
  })
  // An error outside of all tests has ended tap's outermost one: no test can run here any more.
  if (!isMarked) process.exit(1)
  process.send?.({ times: times() })
}
process.disconnect?.()
// A test that failed at its limit may have left something open.
setTimeout(() => process.exit(), 10_000).unref()
