import { setTimeout } from "node:timers/promises"
import { type FileStates, stateOf } from "./files.ts"

/**
 * Calls `changed` when a file of the configuration differs from what was read, once all files have stayed the same for
 * `interval` milliseconds: editors truncate, write and rename. `files` returns the files as they were read. Returns a
 * function that stops watching.
 *
 * Reads the files at each interval, so it also notices a changed link in their path, and files on another machine.
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
