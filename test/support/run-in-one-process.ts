// Runs the test files that TEST_FILES lists, one per line, in this one process, one after the other:
// starting a process per file takes longer than quick tests themselves. Prints TAP, with a mark after
// the tests of each file.
import { resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import t from "tap"
import { endOfFile } from "./test-filter.ts"

// With a teardown of its own, tap's outermost test would end as soon as nothing runs: while the next
// file is being loaded, say. So each file's teardowns run at its mark.
const teardowns: (() => unknown)[] = []
t.teardown = (work: () => unknown) => void teardowns.unshift(work)

for (const file of (process.env["TEST_FILES"] ?? "").split("\n").filter(Boolean)) {
  await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    void t.test(file, () => Promise.reject(error))
  })
  // Subtests run in order, so this one ends when those of the file have ended.
  await t.test(`${endOfFile}${file}`, async () => {
    for (const work of teardowns.splice(0)) await work()
  })
}
