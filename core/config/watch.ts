import { setTimeout } from "node:timers/promises"
import { type FileStates, stateOf } from "./files.ts"

/**
 * Calls `changed` when one of the files of a configuration is not as it was read, as soon as all of them stay the same
 * for an interval in milliseconds: editors truncate, write and rename. `files` returns them, in the state in which they
 * were read. Returns a function that stops it.
 *
 * Looks at the files themselves, each interval. So it does not matter how they change: also if a link in their path
 * leads elsewhere, or if they are on another machine.
 */
export function watchFiles(
  files: () => FileStates,
  changed: () => void,
  interval = 500,
): () => void {
  const stop = new AbortController()
  const { signal } = stop
  /** The states for which `changed` was called. */
  let reported: FileStates = new Map()
  let last = ""
  const look = () => {
    const read = files()
    const now = new Map([...read.keys()].map((path) => [path, stateOf(path)]))
    const isSettled = last === (last = JSON.stringify([...now]))
    const isNew = [...now].some(([path, state]) =>
      state !== read.get(path) && state !== reported.get(path)
    )
    if (!isNew || !isSettled) return
    reported = now
    changed()
  }
  const run = async () => {
    for (;;) {
      await setTimeout(interval, undefined, { signal, ref: false })
      look()
    }
  }
  // Rejects when it is stopped.
  run().catch(() => {})
  return () => stop.abort()
}
