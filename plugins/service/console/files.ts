import type { ServedFile } from "../../../core/plugin.ts"
import { findDesignFile, loadFile } from "../../design/design.ts"

const script = new URL("./assets/console.js", import.meta.url)

/** Returns a file that the pages load; undefined if there is none of that name, which is never looked up on disk. */
export async function findFile(name: string): Promise<ServedFile | undefined> {
  return name === "console.js"
    ? await loadFile(script, "text/javascript")
    : await findDesignFile(name)
}
