import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"

/** A file of the handbook. In the console, its name is empty for the first page. */
export interface Document {
  readonly name: string
  /** Its path in the repository, and in the package below `dist/`. */
  readonly path: string
}

/** The folder of the repository, or `dist/` of the package. */
const root = new URL("../../../", import.meta.url)

/** Examples are named one by one: operators edit other files in these folders, which may contain secrets. */
const ownPages:
  readonly (readonly [folder: string, file: RegExp, name: (file: string) => string])[] = [
    ["config/handbook", /\.md$/, (file) => file.slice(0, -3)],
    [
      "config/deploy",
      /^(Caddyfile|nginx\.conf|haproxy\.cfg|event-export@?\.service)$/,
      (file) => file,
    ],
  ]

/** All documents by path, listed once: a name from a request is never looked up on disk. */
const documents: ReadonlyMap<string, Document> = new Map(
  listDocuments().map((document) => [document.path, document]),
)

function listDocuments(): Document[] {
  const own = ownPages.flatMap(([folder, pattern, nameOf]) =>
    filesIn(folder).filter((file) => pattern.test(file))
      .map((file) => ({ name: nameOf(file), path: `${folder}/${file}` }))
  )
  const capabilities = readdirSync(new URL("plugins/capabilities/", root), { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .flatMap(({ name: capability }) => {
      const folder = `plugins/capabilities/${capability}`
      return filesIn(folder).filter((file) => file.endsWith(".md")).map((file) => ({
        name: `capability-${capability}${file === "README.md" ? "" : `-${file.slice(0, -3)}`}`,
        path: `${folder}/${file}`,
      }))
    })
  return [
    { name: "", path: "config/README.md" },
    { name: "plugins", path: "plugins/README.md" },
    ...own,
    ...capabilities,
  ]
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { withFileTypes: true })
    .filter((each) => each.isFile()).map(({ name }) => name).sort()
}

/** Returns the document with a name; undefined if there is none. */
export function findDocument(name: string): Document | undefined {
  return documents.values().find((each) => each.name === name)
}

/** Returns the pages of the handbook itself, by name. */
export function listPages(): Document[] {
  return [...documents.values()].filter(({ path }) =>
    /^config\/(README|handbook\/.+)\.md$/.test(path)
  )
}

const texts = new Map<string, string>()

/** Returns the text of a document. Reads it only once, since it comes with the program. */
export function readDocument({ path }: Document): string {
  const text = texts.get(path) ?? readFileSync(new URL(path, root), "utf8")
  texts.set(path, text)
  return text
}

/** Returns the title of a document, or its name if it has none. */
export function titleOf(document: Document): string {
  return /^# (.+)$/m.exec(document.path.endsWith(".md") ? readDocument(document) : "")?.[1] ??
    posix.basename(document.path)
}

/** Returns the path of a document in the console. */
export function addressOf({ name }: Document): string {
  return `/console/handbook${name === "" ? "" : `/${name}`}`
}

/**
 * Returns where a document's link leads within the service; undefined if its target is not shown. `guide` tells whether
 * there is a guide for partners.
 */
export function resolveLink(
  { path }: Document,
  href: string,
  { guide }: { readonly guide: boolean },
): string | undefined {
  if (/^(https?:\/\/|#)/.test(href)) return href
  const [file = "", hash] = href.split("#")
  const target = posix.join(posix.dirname(path), file)
  const anchor = hash === undefined ? "" : `#${hash}`
  const [, page] = /^plugins\/documents\/docs\/pages\/([\w-]+)\.md$/.exec(target) ?? []
  if (page) return guide ? `/docs${page === "start" ? "" : `/${page}`}${anchor}` : undefined
  const document = documents.get(target)
  return document && `${addressOf(document)}${anchor}`
}
