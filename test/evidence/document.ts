import { readFileSync } from "node:fs"
import { proseOf } from "../support/documents.ts"

/** A part of a document, from one heading to the next. */
export interface Section {
  /** The heading; the title of the document for what stands before the first heading. */
  readonly heading: string
  /** As links name it; empty for what stands before the first heading. */
  readonly anchor: string
  /** What people read, without code, in one line. */
  readonly text: string
}

const read = new Map<string, readonly Section[]>()

/** Returns the sections of a Markdown file, in their order. */
export function sectionsOf(file: string): readonly Section[] {
  const known = read.get(file)
  if (known) return known
  const [first = "", ...others] = proseOf(readFileSync(file, "utf8")).split(/^(?=##+ )/m)
  const sections = [first, ...others].map((part, index): Section => {
    const [, heading = ""] = /^#+ (.*)$/m.exec(part) ?? []
    return {
      heading,
      anchor: index === 0 ? "" : anchorOf(heading),
      text: plain(part.replace(/^#+ .*$/m, "")),
    }
  })
  read.set(file, sections)
  return sections
}

/** Returns the section that has a quotation; undefined if none has. */
export function findSection(file: string, quotation: string): Section | undefined {
  return sectionsOf(file).find(({ text }) => text.includes(quotation))
}

/** Returns the cells of the rows of the first table after a heading, without its head. */
export function rowsOf(file: string, heading: string): readonly (readonly string[])[] {
  const [, text = ""] = readFileSync(file, "utf8").split(`# ${heading}\n`)
  const [table = ""] = /^\|.*\n(?:\|.*\n)+/m.exec(text) ?? []
  return table.trimEnd().split("\n").slice(2)
    .map((row) => row.slice(2, -2).split(" | ").map((cell) => plain(cell)))
}

/** Leaves out comments, the addresses of links and stars. */
function plain(markdown: string): string {
  return markdown.replaceAll(/<!--.*?-->/gs, "").replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "").replaceAll(/\s+/g, " ").trim()
}

function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
}
