import { readFileSync } from "node:fs"
import { type ServedFile, servedFile } from "../../../core/plugin.ts"

const uplot = new URL("./", import.meta.resolve("uplot"))
const assets = new URL("./assets/", import.meta.url)

/** The files that the pages load, by their name in the path. */
const sources = new Map<string, readonly [place: URL, type: string]>([
  ["console.css", [new URL("console.css", assets), "text/css"]],
  ["console.js", [new URL("console.js", assets), "text/javascript"]],
  ["plots.js", [new URL("plots.js", assets), "text/javascript"]],
  ["uplot.css", [new URL("uPlot.min.css", uplot), "text/css"]],
  ["uplot.js", [new URL("uPlot.esm.js", uplot), "text/javascript"]],
])

const loaded = new Map<string, Promise<ServedFile>>()

/** Returns a file; undefined if there is none of that name, which is never looked up on disk. */
export async function findFile(name: string): Promise<ServedFile | undefined> {
  const source = sources.get(name)
  if (!source) return undefined
  const [place, type] = source
  const file = loaded.get(name) ?? servedFile(readFileSync(place, "utf8"), type)
  loaded.set(name, file)
  return await file
}
