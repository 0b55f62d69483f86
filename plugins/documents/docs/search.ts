import { marked, type Token, type Tokens } from "marked"
import { problems } from "../../../core/plugin.ts"
import { listedFields } from "./field-tables.ts"
import { textPages } from "./pages.ts"
import { idOf } from "../../design/markdown.ts"
import { textOf, type TextReader } from "./texts.ts"

/** A place in the documents, as found by a search. */
export interface PageHit {
  /** The path of its page, with the fragment. */
  readonly path: string
  readonly name: string
  /** The name of its page in the navigation. */
  readonly page: string
  /** What it is, unless it is a section: `Parameter`, `Error`, or a field's record. */
  readonly kind?: string
  /** An excerpt of its text. */
  readonly about: string
}

/** A hit with its searchable texts. */
interface Entry extends PageHit {
  readonly lowerName: string
  readonly lowerText: string
}

/** The places in the documents that a reader may see. */
export type Index = readonly Entry[]

/** Builds the index of all pages: their sections, the fields of records, and error codes. */
export function indexOf(reading: TextReader): Index {
  const { reader, offers, catalogue } = reading
  const pages = textPages(catalogue, offers)
  const sections = pages.flatMap((page) =>
    sectionsOf(marked.lexer(textOf(page, reading))).map(({ title, depth, text }) =>
      entry({
        path: depth === 1 ? page.path : `${page.path}#${idOf(title)}`,
        name: title.replaceAll("`", ""),
        page: page.name,
      }, text)
    )
  )
  const nameOf = (file: string) => pages.find((page) => page.file === file)?.name ?? ""
  const fields = listedFields(catalogue.records, reader).map(({ record, name, description }) =>
    entry(
      {
        path: `/docs/records#${record}.${name}`,
        name,
        page: nameOf("records.md"),
        kind: record,
      },
      description,
    )
  )
  const errors = Object.entries(problems).map(([code, { status, title }]) =>
    entry(
      {
        path: `/docs/errors#error-${code}`,
        name: code,
        page: nameOf("errors.md"),
        kind: "Error",
      },
      `${status}: ${title}.`,
    )
  )
  const parameters = Object.entries(catalogue.parameters).map(([name, { description }]) =>
    entry(
      {
        path: `/docs/parameters#parameter-${name}`,
        name,
        page: nameOf("parameters.md"),
        kind: "Parameter",
      },
      description,
    )
  )
  return [...sections, ...parameters, ...fields, ...errors]
}

/** Returns the places that contain all words of a text. Those with the words in their names come first. */
export function search(index: Index, text: string): PageHit[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "")
  if (words.length === 0) return []
  const whole = words.join(" ")
  return index
    .filter(({ lowerName, lowerText }) =>
      words.every((word) => lowerName.includes(word) || lowerText.includes(word))
    )
    .map((entry) => ({ entry, rank: rankOf(entry, whole, words) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry: { about, lowerName: _, lowerText, ...place } }) => ({
      ...place,
      about: excerpt(about, lowerText.indexOf(words[0] ?? "")),
    }))
}

/** The beginning of a text, or one of its sections without subsections. */
interface Section {
  readonly title: string
  readonly depth: number
  readonly text: string
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { title: string; depth: number; text: string }[] = []
  for (const token of tokens) {
    if (token.type === "heading") {
      sections.push({ title: (token as Tokens.Heading).text, depth: token["depth"], text: "" })
    } else if (token.type !== "code") {
      const last = sections.at(-1)
      if (last) last.text += `${wordsOf(token)} `
    }
  }
  return sections
}

/** Returns the text of a token; for a table, without the header. */
function wordsOf(token: Token): string {
  if (token.type !== "table") return token.raw
  const { rows } = token as Tokens.Table
  return rows.map((row) => `${row.map(({ text }) => text).join(" ")}. `).join("")
}

/** Removes the Markdown markup from a text. */
function plain(text: string): string {
  return text.replaceAll(
    /<!--.*?-->|!\[.*?\]\(.*?\)|\]\([^)]*\)|^[|\- ]+$|^ *(?:[-]|\d+\.) |[`*[\]]/gm,
    "",
  )
    .replaceAll(/[\s|]+/g, " ").trim()
}

function entry(place: Omit<PageHit, "about">, text: string): Entry {
  const about = plain(text)
  return { ...place, about, lowerName: place.name.toLowerCase(), lowerText: about.toLowerCase() }
}

function rankOf({ lowerName: name }: Entry, whole: string, words: readonly string[]): number {
  if (name === whole) return 0
  if (name.startsWith(whole)) return 1
  if (name.includes(whole)) return 2
  return words.some((word) => name.includes(word)) ? 3 : 4
}

/** Returns the words around a place in a text. */
function excerpt(text: string, at: number): string {
  const from = at < 60 ? 0 : text.indexOf(" ", at - 50) + 1
  const part = text.slice(from, from + 140)
  const words = part.length < 140 ? part : part.slice(0, part.lastIndexOf(" "))
  return `${from > 0 ? "… " : ""}${words.trim()}${from + words.length < text.length ? " …" : ""}`
}
