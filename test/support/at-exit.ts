import process from "node:process"

const ends = new Set<() => unknown>()

/**
 * Runs `end` when this process exits, such as to kill a server that it has started. Returns what takes that back. All
 * ends share one listener: Node takes eleven for a leak, and says so on standard error.
 */
export function atExit(end: () => unknown): () => void {
  if (ends.size === 0) process.on("exit", runAll)
  ends.add(end)
  return () => {
    ends.delete(end)
    if (ends.size === 0) process.off("exit", runAll)
  }
}

function runAll(): void {
  for (const end of [...ends]) end()
}
