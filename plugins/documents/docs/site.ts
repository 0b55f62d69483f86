import { LRUCache } from "lru-cache"
import type { Catalogue, Session } from "../../../core/plugin.ts"
import {
  type FramedPage,
  html,
  pageText,
  type ServedFile,
  servedFile,
  trusted,
} from "../../design/design.ts"
import { localOrigin, originFor } from "./fill.ts"
import { frameFor, type OfferedRoutes, textPages } from "./pages.ts"
import { downloads, program } from "./examples.ts"
import { hitLists } from "./hits.ts"
import { readerOf } from "./reader.ts"
import type { Index, PageHit } from "./search.ts"
import { readText } from "./text-file.ts"
import { guideMarkdown, llmsText, markdownOf, type TextReader } from "./texts.ts"

/** A request for the documents, with the reader's choice for the examples. */
export interface DocsVisit {
  readonly catalogue: Catalogue
  readonly session: Session | undefined
  readonly offers: OfferedRoutes
  /** The path of an event, or null. */
  readonly chosen: string | null
}

type Make = (reading: TextReader) => string | Promise<string>

/** The texts other than pages that depend on the reader, by name, with their types. */
const files: ReadonlyMap<string, readonly [type: string, make: Make]> = new Map<
  string,
  readonly [string, Make]
>([
  ["guide.md", ["text/markdown", guideMarkdown]],
  ["llms.txt", ["text/plain", llmsText]],
  ...(Object.keys(downloads) as (keyof typeof downloads)[]).map((name) =>
    [name, ["text/plain", ({ reader }: TextReader) => program(name, reader)]] as const
  ),
])

const texts = new LRUCache<string, Promise<string>>({ max: 100 })
const cache = new LRUCache<string, Promise<ServedFile>>({ max: 100 })
const indexes = new LRUCache<string, Promise<Index>>({ max: 10 })

/**
 * Returns a page of the documents, or a text such as `guide.md`, for its reader; undefined if there is none with this
 * name. Caches the 100 most recently used, since rendering one takes some milliseconds. Never looks up a name on disk.
 */
export async function fileFor(name: string, visit: DocsVisit): Promise<ServedFile | undefined> {
  const reading = readingOf(visit)
  const [type, make] = files.get(name) ?? []
  if (type && make) {
    return await kept(name, reading, { type, make })
  }
  const pages = textPages(visit.catalogue, visit.offers)
  const text = pages.find(({ file }) => file === name)
  if (text) {
    const asMarkdown = (reading: TextReader) => markdownOf(text, reading)
    return await kept(name, reading, { type: "text/markdown", make: asMarkdown })
  }
  const path = name === "" ? "/docs" : `/docs/${name}`
  const page = pages.find((page) => page.path === path)
  if (!page) return undefined
  const frame = frameOf(visit)
  const render = async (reading: TextReader) => {
    const { renderPage } = await import("./render.ts")
    const rendered = renderPage(page, reading)
    const next = pages[pages.indexOf(page) + 1]
    const main = html`${rendered.main}${
      next && html`<p class="next">Next: <a href="${next.path}">${next.name}</a></p>`
    }`
    return pageText({ ...frame, ...rendered, main, current: path, scripts: ["docs.js"] })
  }
  return await kept([name, frame], reading, { type: "text/html", make: render })
}

/** Returns the places in the documents that contain all words of a text. */
export async function find(text: string, visit: DocsVisit): Promise<PageHit[]> {
  const { indexOf, search } = await import("./search.ts")
  const { reader, offers, catalogue } = readingOf(visit)
  // The index contains no names of readers, so those with the same families share one.
  const anybody = { ...reader, origin: "", username: undefined, example: undefined, choices: [] }
  const key = JSON.stringify([anybody, ...loadedOf({ offers, catalogue })])
  const making = indexes.get(key) ??
    Promise.resolve(indexOf({ reader: anybody, offers, catalogue }))
  indexes.set(key, making)
  return search(await making, text)
}

/** Returns the page with the hits of a search. */
export function searchPage(text: string, hits: readonly PageHit[], visit: DocsVisit): FramedPage {
  const shown = hits.slice(0, 50)
  return {
    ...frameOf(visit),
    title: text === "" ? "Search" : `Search: ${text}`,
    search: text,
    main: text === ""
      ? html`<p>Type what you are looking for into the search field.</p>`
      : hits.length === 0
      ? html`<p>Nothing has all these words. Try one of them, a field such as <code>updated</code>, or a code such as
<code>resync_required</code>.</p>`
      : hitLists(shown, text),
  }
}

/** Returns the page of the reference. */
export function referencePage(visit: DocsVisit): FramedPage {
  return {
    ...frameOf(visit),
    title: "Try requests",
    current: "/docs/reference",
    scripts: ["reference.js"],
    styles: ["reference.css"],
    isWhole: true,
    main: trusted(readText("reference.html")),
  }
}

/** Returns what all pages of the documents have in common for a visit. */
export function frameOf({ catalogue, session, offers }: DocsVisit): ReturnType<typeof frameFor> {
  return frameFor(catalogue, session, offers)
}

function readingOf({ catalogue, offers, chosen }: DocsVisit): TextReader {
  return { reader: readerOf(catalogue, chosen), offers, catalogue }
}

/** Returns what texts depend on, besides their reader. */
function loadedOf({ offers, catalogue: { summaries } }: Omit<TextReader, "reader">) {
  return [[...offers], [...summaries.keys()]]
}

/**
 * Returns a text for its reader. It is rendered once for all URLs of the service, since clients can invent any number
 * of those.
 */
async function kept(
  name: unknown,
  { reader, ...rest }: TextReader,
  { type, make }: { readonly type: string; readonly make: Make },
): Promise<ServedFile> {
  const ofReader = { ...reader, origin: localOrigin }
  const key = JSON.stringify([name, ofReader, ...loadedOf(rest)])
  const origin = originFor(reader)
  return await remembered(cache, `${origin} ${key}`, async () => {
    const text = await remembered(
      texts,
      key,
      async () => await make({ reader: ofReader, ...rest }),
    )
    return await servedFile(text.replaceAll(localOrigin, () => origin), type)
  })
}

/** Returns a cached value, or makes it. A failure is not cached. */
async function remembered<T>(
  cache: LRUCache<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const making = cache.get(key) ?? make()
  cache.set(key, making)
  making.catch(() => cache.delete(key))
  return await making
}
