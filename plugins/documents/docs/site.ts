import { LRUCache } from "lru-cache"
import { escapeHtml, type ServedFile, servedFile } from "../../../core/plugin.ts"
import { findDesignFile } from "../../design/design.ts"
import { fillNames } from "./fill.ts"
import type { Reader } from "./reader.ts"
import { readText } from "./text-file.ts"

type Make = (reader: Reader) => string | Promise<string>

/** The pages that depend on who reads them. */
const pages = {
  guide: inFrame("Guide", async (reader) => (await texts()).guideHtml(reader)),
  changes: inFrame("Changes", async (reader) => (await texts()).changesHtml(reader)),
  markdown: pageOf("text/markdown", async (reader) => (await texts()).guideMarkdown(reader)),
  llms: pageOf("text/plain", (reader) => fillNames(readText("llms.txt"), reader)),
  "feed.sh": program("feed.sh"),
  "feed.py": program("feed.py"),
}

export type PageName = keyof typeof pages

/** The files that are the same for everyone, with their types. */
const assets: Readonly<Record<string, string>> = {
  "style.css": "text/css",
  "session.js": "text/javascript",
  "guide.js": "text/javascript",
  "changes.js": "text/javascript",
  "reference.js": "text/javascript",
  "cycle.svg": "image/svg+xml",
}

const cache = new LRUCache<string, Promise<ServedFile>>({ max: 50 })

/** Returns a page as its reader gets it. The 50 used last are kept: it takes some milliseconds to make one. */
export function pageFor(name: PageName, reader: Reader): Promise<ServedFile> {
  return kept(JSON.stringify([name, reader]), async () => {
    const { type, make } = pages[name]
    return await servedFile(await make(reader), type)
  })
}

/** Returns the page that the reference is drawn on. */
export function referencePage(): Promise<ServedFile> {
  return kept("reference", () => {
    const text = framed("Reference", undefined, readText("reference.html"))
    return servedFile(text, "text/html")
  })
}

/** Returns a file that is the same for everyone; undefined if there is none. The name is never looked up on disk. */
export async function assetOf(name: string): Promise<ServedFile | undefined> {
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined
  const file = name === "cycle.svg" ? name : `assets/${name}`
  return type === undefined
    ? await findDesignFile(name)
    : await kept(name, () => servedFile(readText(file), type))
}

async function kept(key: string, make: () => Promise<ServedFile>): Promise<ServedFile> {
  const making = cache.get(key) ?? make()
  cache.set(key, making)
  return await making
}

/** Loads what makes the texts on first use, so that the service starts faster. */
function texts() {
  return import("./guide.ts")
}

function pageOf(type: string, make: Make) {
  return { type, make }
}

function inFrame(title: string, make: Make) {
  return pageOf("text/html", async (reader) => framed(title, reader.username, await make(reader)))
}

function program(name: string) {
  return pageOf("text/plain", async (reader) => {
    const { program } = await import("./examples.ts")
    return program(name, reader)
  })
}

/** Puts a page into the shared frame. Its script and its entry in the navigation have the name of its title. */
function framed(title: string, username: string | undefined, main: string): string {
  const name = title.toLowerCase()
  return readText("frame.html")
    .replaceAll("{title}", title)
    .replaceAll("{name}", name)
    .replace(`data-page="${name}"`, 'aria-current="page"')
    .replace(/ data-page="\w+"/g, "")
    .replace("{who}", () => username === undefined ? "" : escapeHtml(username))
    .replace("{log-in}", username === undefined ? "" : "hidden")
    .replace("<!-- main -->", () => main)
}
