import { createHash } from "node:crypto"
import { readFileSync, watch } from "node:fs"
import { dirname } from "node:path"

/** Milliseconds that a file must be left alone: editors truncate, write and rename. */
const settling = 200

/**
 * Calls `changed` whenever the content of a file is another than before, however it was changed:
 * written, replaced by a rename, or reached through a link that was swapped.
 *
 * Answers a function that ends the watching.
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
  // The folder, not the file: a file that is replaced takes its watcher with it.
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
