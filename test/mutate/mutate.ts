// Changes code in many small ways, one at a time, and lists the changes that no test notices:
// make mutate FILES=core/networks.ts. FILES are files, folders, or lines of a file, as in
// core/networks.ts:20-40. TESTS are the test files to run, LEAST is the lowest score that passes.
import { statSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { Stryker } from "@stryker-mutator/core"
import { everydayFiles, findTestFiles } from "../runner/test-files.ts"

const [, , ...targets] = process.argv

/** Tests that read the code as text would notice every change. */
const readsCode = /^test\/(architecture|readme)\.test\.ts$|^test\/support\//

/** Returns the everyday tests: first those of the targets' own names, then those in the mirrored folders. */
function findTests(): string[] {
  const given = process.env["TESTS"]?.trim()
  if (given) return findTestFiles(given.split(/\s+/))
  const mirrors = targets.map((target) => join("test", isFolder(target) ? target : dirname(target)))
  const names = targets.map((target) => join("test", target.replace(/\.ts.*/, ".test.ts")))
  const isNear = (test: string) => mirrors.some((mirror) => test.startsWith(mirror))
  const everyday = everydayFiles().filter((test) => !readsCode.test(test))
  const rankOf = (test: string) => names.includes(test) ? 0 : isNear(test) ? 1 : 2
  return everyday.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

// The processes of the tests inherit these. Their databases are faster in memory.
process.env["QUICK"] = "1"
if (isFolder("/dev/shm")) process.env["TMPDIR"] ??= "/dev/shm"
process.env["NODE_COMPILE_CACHE"] = join(process.cwd(), ".cache/compiled")

await new Stryker({
  mutate: targets.map((target) => isFolder(target) ? join(target, "**/*.ts") : target),
  testRunner: "tap",
  tap: { testFiles: findTests() },
  plugins: [
    import.meta.resolve("@stryker-mutator/tap-runner"),
    join(import.meta.dirname, "mutators.ts"),
  ],
  ignorers: ["messages"],
  // A change is only tried on the test files that execute its line.
  coverageAnalysis: "perTest",
  ignorePatterns: [".cache", ".data", "test/mutate"],
  tempDirName: ".cache/mutate",
  // Node strips the types; Stryker cannot use the compiler of TypeScript 7.
  disableTypeChecks: false,
  tsconfigFile: "none",
  timeoutMS: 20_000,
  reporters: ["progress", "clear-text"],
  clearTextReporter: { allowColor: process.stdout.isTTY, allowEmojis: false, logTests: false },
  thresholds: { high: 90, low: 75, break: Number(process.env["LEAST"]) || null },
}).runMutationTest()
