import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { brotliDecompressSync } from "node:zlib"
import { Problem } from "../../../core/plugin.ts"
import { type ServedFile, servedFile } from "../../design/design.ts"

/** The script in the package. A clone lacks it, but has the development package installed. */
const packed = new URL("assets/viewer.js.br", import.meta.url)

let loading: Promise<ServedFile> | undefined

/** Returns the script of the reference, 4 MB, which the first call reads. @throws {Problem} if it is not installed. */
export async function viewer(): Promise<ServedFile> {
  loading ??= loadScript().then((script) => servedFile(script, "text/javascript"))
  return await loading
}

async function loadScript(): Promise<string> {
  if (existsSync(packed)) return String(brotliDecompressSync(await readFile(packed)))
  try {
    return (await import("./scalar.ts")).scalarScript()
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error
    throw new Problem("not_found", notInstalled)
  }
}

const notInstalled =
  'The script that draws the reference is not installed: in a clone, "make install" does that. ' +
  "The document is at /openapi.json."
