import { Marked, type Token, type Tokens } from "marked"
import { choiceHtml } from "./choice.ts"
import { exampleBlocks, exampleFigures } from "./examples.ts"
import { choiceQuery, fillNames, fillNumbers, originFor } from "./fill.ts"
import { escapeHtml } from "../../../core/plugin.ts"
import type { Reader } from "./reader.ts"
import { idOf, rendererFor } from "./render.ts"
import { readText } from "./text-file.ts"

/** A heading of the second level, with its content. */
interface Section {
  readonly title: string
  readonly tokens: Token[]
}

/** A placeholder in the text: `<!-- examples -->`, `<!-- languages -->` or `<!-- choice -->`. */
const placeholder = /^<!-- (examples|languages|choice) -->\s*$/m

/**
 * Returns the guide for a reader as HTML, generated from `partners.md`. Each section is an entry of the
 * navigation.
 *
 * @throws {TypeError} if the text has an unknown placeholder or a link to a file that is not served.
 */
export function guideHtml(reader: Reader): string {
  const parts: Readonly<Record<string, () => string>> = {
    examples: () => exampleFigures(reader),
    languages: () => readText("languages.html"),
    choice: () => choiceHtml(reader),
  }
  const marked = new Marked({
    renderer: rendererFor(urlsFor(reader), (text) => {
      const [, name = ""] = placeholder.exec(text) ?? []
      const part = parts[name]
      if (!part) throw new TypeError(`the guide has no placeholder ${text.trim()}`)
      return `${part()}\n`
    }),
  })
  const { introduction, sections } = split(marked.lexer(filled("partners.md", reader)))
  const entries = sections.map(({ title }) =>
    `<li><a href="#${idOf(title)}">${escapeHtml(title.replaceAll("`", ""))}</a></li>`
  )
  const bodies = sections.map(({ title, tokens }) =>
    `<section aria-labelledby="${idOf(title)}">\n${marked.parser(tokens)}</section>`
  )
  return `<div class="columns">
<nav class="contents" aria-label="Contents">
<ol>
${entries.join("\n")}
</ol>
</nav>
<main id="main" tabindex="-1">
${marked.parser(introduction)}
${bodies.join("\n\n")}
</main>
</div>`
}

/** Returns the guide for a reader as Markdown, with absolute links. */
export function guideMarkdown(reader: Reader): string {
  const urls = urlsFor(reader)
  return filled("partners.md", reader)
    .replace(
      new RegExp(placeholder.source, "gm"),
      (_, name: string) => name === "examples" ? exampleBlocks(reader) : "",
    )
    .replace(
      /\]\(([^)#\s]+)(#[^)\s]*)?\)/g,
      (_, href: string, hash = "") => `](${new URL(urls(href), originFor(reader))}${hash})`,
    )
    .replace(/\n{3,}/g, "\n\n")
}

/** Returns what has changed for partners, by version, as HTML. */
export function changesHtml(reader: Reader): string {
  const marked = new Marked({ renderer: rendererFor(urlsFor(reader)) })
  const tokens = forPartners(marked.lexer(filled("CHANGELOG.md", reader)))
  return `<main id="main" tabindex="-1">\n${marked.parser(tokens)}</main>`
}

/** Leaves out what a version has for others, and versions without anything for partners. */
function forPartners(tokens: readonly Token[]): Token[] {
  const { introduction, sections } = split(tokens)
  const kept = sections.flatMap(({ tokens: [title, ...rest] }) => {
    const parts = rest.map((token, at) => isHeading(token, 3) ? at : -1).filter((at) => at >= 0)
    const start = parts.find((at) => (rest[at] as Tokens.Heading).text === "For partners")
    if (title === undefined || start === undefined) return []
    return [title, ...rest.slice(start + 1, parts.find((at) => at > start))]
  })
  return [...introduction, ...kept]
}

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === "heading" && token["depth"] === depth
}

/** Returns a text of this folder with the reader's names and this installation's numbers. */
function filled(file: string, reader: Reader): string {
  return fillNames(fillNumbers(readText(file), reader.numbers), reader)
}

function split(tokens: readonly Token[]): { introduction: Token[]; sections: Section[] } {
  const introduction: Token[] = []
  const sections: Section[] = []
  for (const token of tokens) {
    if (isHeading(token, 2)) sections.push({ title: token.text, tokens: [] })
    const { tokens } = sections.at(-1) ?? { tokens: introduction }
    tokens.push(token)
  }
  return { introduction, sections }
}

const pages: Readonly<Record<string, string>> = {
  "partners.md": "/docs",
  "reference.html": "/docs/reference",
  "CHANGELOG.md": "/docs/changes",
  "cycle.svg": "/docs/cycle.svg",
}

/** Returns a function from a link in the texts, which link to files of this folder, to a URL of the service. */
function urlsFor(reader: Reader): (href: string) => string {
  return (href) => {
    if (/^(https?:|\/)/.test(href)) return href
    const [, program] = /^examples\/([\w.]+)$/.exec(href) ?? []
    const url = program === undefined ? pages[href] : `/docs/${program}${choiceQuery(reader)}`
    if (url === undefined) throw new TypeError(`the guide links to ${href}, which is not served`)
    return url
  }
}
