import type { Catalogue } from "../../../core/plugin.ts"
import { exampleBlocks } from "./examples.ts"
import { fieldTables } from "./field-tables.ts"
import { choiceQuery, chooseParts, fillNames, fillNumbers, originFor } from "./fill.ts"
import { parameterTable } from "./parameter-table.ts"
import {
  groups,
  markdownPath,
  type OfferedRoutes,
  type SitePage,
  type TextPage,
  textPages,
} from "./pages.ts"
import type { DocsReader } from "./reader.ts"
import { readText } from "./text-file.ts"

/** A reader, and the other values to fill into texts. */
export interface TextReader {
  readonly reader: DocsReader
  readonly offers: OfferedRoutes
  readonly catalogue: Pick<Catalogue, "parameters" | "records" | "summaries">
}

/**
 * Returns the text of a page for its reader, as Markdown, with their names, this installation's numbers and the fields
 * of records. Parts that differ between Markdown and HTML remain comments: `<!-- choice -->`, `<!-- languages -->`,
 * `<!-- examples -->`, and `<!-- record Guest -->` before the table of the fields of guests.
 *
 * @throws {TypeError} for an unknown placeholder.
 */
export function textOf(
  page: TextPage,
  { reader, offers, catalogue: { parameters, records } }: TextReader,
): string {
  const { numbers } = reader
  const text = chooseParts(readText(`pages/${page.file}`), { numbers, offers })
    .replaceAll(/^<!-- fields (\w+) -->$/gm, (_, name: string) => (
      fieldTables(name, records, reader)
    ))
    .replaceAll(/^<!-- parameters -->$/gm, () => parameterTable(parameters))
    .replaceAll(/^<!-- program (\w+) (\S+) -->$/gm, (_, language: string, file: string) => (
      `\`\`\`${language}\n${readText(`examples/${file}`)}\`\`\``
    ))
    .replaceAll(/^<!-- versions -->$/gm, () => versionsForPartners(readText("CHANGELOG.md")))
  return fillNames(fillNumbers(text, numbers), reader)
}

/** Returns a page as Markdown, with absolute links. */
export function markdownOf(page: TextPage, reading: TextReader): string {
  const { reader } = reading
  return textOf(page, reading)
    .replaceAll(
      /^<!-- (\w+)(?: \w+)? -->$/gm,
      (_, name: string) => name === "examples" ? exampleBlocks(reader) : "",
    )
    .replaceAll(
      /\]\(([^)#\s]+)(#[^)\s]*)?\)/g,
      (_, href: string, hash = "") =>
        `](${new URL(urlOf(href, reader, markdownPath), originFor(reader))}${hash})`,
    )
    .replaceAll(/\n{3,}/g, "\n\n")
}

/** Returns all pages as one text. */
export function guideMarkdown(reading: TextReader): string {
  return textPages(reading.catalogue, reading.offers).map((page) => markdownOf(page, reading)).join(
    "\n",
  )
}

/** Returns `llms.txt` for language models: what the service is, and a link to each page as Markdown. */
export function llmsText(reading: TextReader): string {
  const { reader, offers, catalogue } = reading
  const origin = originFor(reader)
  const links = textPages(catalogue, offers).map((page) => {
    const headings = [...textOf(page, reading).matchAll(/^## (.*)$/gm)].map(([, title]) => title)
    const about = headings.length > 0 ? `: ${headings.join(", ")}` : ""
    return `- [${page.name}](${origin}${markdownPath(page)})${about}`
  })
  const text = chooseParts(readText("llms.txt"), { numbers: reader.numbers, offers })
  return fillNames(text, reader).replace("<!-- pages -->", () => links.join("\n"))
}

/**
 * Returns the URL for a link in a text. Texts link to each other and to files of this folder. `pathOf` returns the path
 * of a page.
 *
 * @throws {TypeError} if it leads to a file that is not served.
 */
export function urlOf(
  href: string,
  reader: DocsReader,
  pathOf: (page: TextPage) => string = ({ path }) => path,
): string {
  if (/^(https?:|\/)/.test(href)) return href
  const name = href.replace(/^(\.\.\/|pages\/)+/, "").replace(/^CHANGELOG\.md$/, "changes.md")
  const page = groups.flatMap(({ entries }): readonly SitePage[] => entries)
    .find(({ file }) => file === name)
  if (page) return pathOf({ ...page, file: name })
  if (name === "cycle.svg") return `/docs/files/${name}`
  if (name.startsWith("examples/")) return `/docs/${name.slice(9)}${choiceQuery(reader)}`
  throw new TypeError(`the guide links to ${href}, which is not served`)
}

/** Returns each version's part for partners. Leaves out versions without one. */
function versionsForPartners(changes: string): string {
  return changes.split(/^## /m).slice(1).flatMap((version) => {
    const [, part] = /^### For partners\n+([^]*?)(?=^### |$(?![^]))/m.exec(version) ?? []
    return part === undefined ? [] : [`### ${version.split("\n")[0]}\n\n${part.trim()}\n`]
  }).join("\n")
}
