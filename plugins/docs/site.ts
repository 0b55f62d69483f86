import { programs } from "./examples.ts"
import { guideHtml } from "./guide.ts"
import { type ServedFile, servedFile } from "../../core/plugin.ts"
import { readText } from "./text-file.ts"

/** The pages, and the files that they load. */
export interface Site {
  readonly guide: ServedFile
  readonly reference: ServedFile
  /** By name: scripts, the style sheet, and the guide's programs to download. */
  readonly files: ReadonlyMap<string, ServedFile>
}

const assets = {
  "style.css": "text/css",
  "session.js": "text/javascript",
  "guide.js": "text/javascript",
  "reference.js": "text/javascript",
}

const frame = readText("frame.html")
const cache = new Map<string, Promise<Site>>()

/** Returns the site for a public URL such as `https://export.example.org`. Caches only the last one. */
export function siteAt(origin: string): Promise<Site> {
  const site = cache.get(origin) ?? makeSite(origin)
  cache.clear()
  cache.set(origin, site)
  return site
}

async function makeSite(origin: string): Promise<Site> {
  const downloads = programs(origin).map(([name, text]) => [name, text, "text/plain"] as const)
  const scripts = Object.entries(assets).map(([name, type]) =>
    [name, readText(`assets/${name}`), type] as const
  )
  const served = [...scripts, ...downloads].map(async ([name, text, type]) =>
    [name, await servedFile(text, type)] as const
  )
  return {
    guide: await servedFile(page("Guide", "guide", guideHtml(origin)), "text/html"),
    reference: await servedFile(
      page("Reference", "reference", readText("reference.html")),
      "text/html",
    ),
    files: new Map(await Promise.all(served)),
  }
}

/** Puts a page into the shared frame. Its script and its entry in the navigation are called `name`. */
function page(title: string, name: string, main: string): string {
  return frame
    .replaceAll("{title}", title)
    .replaceAll("{name}", name)
    .replace(`data-page="${name}"`, 'aria-current="page"')
    .replace(/ data-page="\w+"/g, "")
    .replace("<!-- main -->", () => main)
}
