import { createHash } from "node:crypto"
import { readFileSync, watch } from "node:fs"
import { dirname } from "node:path"

/** Milliseconds without a change before a file is read: editors truncate, write and rename. */
const settling = 200

/**
 * Calls `changed` each time the content of a file changes: if it is written, replaced by a rename,
 * or reached through a link that now points elsewhere.
 *
 * Returns a function that stops watching. If the folder cannot be watched any more, changes go
 * unnoticed.
 *
 * @throws {Error} if the folder of the file does not exist.
 */
export function watchFile(file: string, changed: () => void): () => void {
  let known = contentOf(file)
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    const content = contentOf(file)
    if (content === known) return
    known = content
    changed()
  }
  // Watches the folder: the watcher of a file ends when the file is replaced.
  const watcher = watch(dirname(file), () => {
    clearTimeout(timer)
    timer = setTimeout(look, settling)
  })
  watcher.on("error", () => watcher.close())
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

function contentOf(file: string): string {
  try {
    return createHash("sha256").update(readFileSync(file)).digest("hex")
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "unreadable"
  }
}
