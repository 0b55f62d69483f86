import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import process from "node:process"

/** How long a test file took, in milliseconds. `cpu` is the processor time of its process and those that it started. */
export type Times = { readonly wall: number; readonly cpu: number }

/** Returns a function that tells the times since. */
export function stopwatch(): () => Times {
  const [wall, cpu] = [performance.now(), cpuTime()]
  return () => ({ wall: performance.now() - wall, cpu: cpuTime() - cpu })
}

/** Returns the processor time of this process, and on Linux of its children that have ended, in milliseconds. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + timeOfChildren()
}

function timeOfChildren(): number {
  if (process.platform !== "linux") return 0
  // After the name, which may have spaces. Linux counts hundredths of a second.
  const [, numbers = ""] = /\) (.*)/s.exec(readFileSync("/proc/self/stat", "utf8")) ?? []
  const [user, system] = numbers.split(" ").slice(13, 15)
  return (Number(user) + Number(system)) * 10
}

/** Where the times of each file's last run are. */
const noted = process.env["QUICK"] ? ".cache/quick-times.json" : ".cache/test-times.json"

/** Returns the times of each file's last run here. */
export function readTimes(): Map<string, Times> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(noted, "utf8"))))
  } catch {
    return new Map()
  }
}

/** Keeps times for the next run. */
export function noteTimes(times: ReadonlyMap<string, Times>): void {
  mkdirSync(dirname(noted), { recursive: true })
  const fresh = `${noted}-${process.pid}`
  writeFileSync(fresh, JSON.stringify(Object.fromEntries(times), null, 1))
  renameSync(fresh, noted)
}

/** Sorts files by how long they took last time, so that no core is idle while the last one runs. Unknown ones stay in front. */
export function longestFirst(
  files: readonly string[],
  times: ReadonlyMap<string, Times>,
): string[] {
  const wallOf = (file: string) => times.get(file)?.wall ?? Infinity
  return files.toSorted((a, b) => wallOf(b) - wallOf(a) || 0)
}
