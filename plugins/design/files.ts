import { readFileSync } from "node:fs"
import { type HandlerContext, Problem } from "../../core/plugin.ts"
import { respondFile, type ServedFile, servedFile } from "./served-file.ts"

const assets = new URL("./assets/", import.meta.url)

/** Files by the name in the path, with their location and media type. */
export type Files = ReadonlyMap<string, readonly [place: URL, type: string]>

/** The files that pages load. */
const sources: Files = new Map([
  ["design.css", [new URL("design.css", assets), "text/css"]],
  ["theme.js", [new URL("theme.js", assets), "text/javascript"]],
  ["page.js", [new URL("page.js", assets), "text/javascript"]],
  ["icon.svg", [new URL("icon.svg", assets), "image/svg+xml"]],
])

const loaded = new Map<URL, Promise<ServedFile>>()

/** The detail of a 404. */
export const noSuchFile = "There is no such file."

/**
 * Sends the file that a request's path names: one that all pages share, or one of `own`. @throws {Problem} 404 if there
 * is none.
 */
export async function sendFile({ request, params }: HandlerContext, own: Files): Promise<Response> {
  const name = params["file"] ?? ""
  const [place, type = ""] = own.get(name) ?? []
  const file = await (place ? loadFile(place, type) : findDesignFile(name))
  if (!file) throw new Problem("not_found", noSuchFile)
  return respondFile(request, file)
}

/** Returns a file that all pages share; undefined if there is none with this name. Never looks up a name on disk. */
export async function findDesignFile(name: string): Promise<ServedFile | undefined> {
  const [place, type = ""] = sources.get(name) ?? []
  return place && await loadFile(place, type)
}

/** Returns a file of this package, ready to serve. Reads it only once. `type` is its media type. */
export async function loadFile(place: URL, type: string): Promise<ServedFile> {
  const file = loaded.get(place) ?? servedFile(readFileSync(place, "utf8"), type)
  loaded.set(place, file)
  return await file
}
