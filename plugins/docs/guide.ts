import { Marked, type RendererObject, type Token, type Tokens } from "marked"
import { examples, localOrigin } from "./examples.ts"
import { escapeHtml } from "./html.ts"
import { readText } from "./text-file.ts"

/** A heading of the second level, with its content. */
interface Section {
  readonly title: string
  readonly tokens: Token[]
}

/**
 * Returns the guide for partners as HTML, generated from `partners.md`. Each section is an entry of
 * the navigation. Comments in the text are placeholders: `<!-- examples: STEP -->` for a step of the
 * programs, `<!-- languages -->` for the choice of their language.
 *
 * @throws {TypeError} if the text has an unknown placeholder or a link to a file that is not served.
 */
export function guideHtml(origin: string): string {
  const marked = new Marked({ renderer: rendererFor(origin) })
  const tokens = marked.lexer(readText("partners.md").replaceAll(localOrigin, origin))
  const { introduction, sections } = split(tokens)
  const entries = sections.map(({ title }) =>
    `<li><a href="#${idOf(title)}">${escapeHtml(title)}</a></li>`
  )
  const parts = sections.map(({ title, tokens }) =>
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
${parts.join("\n\n")}
</main>
</div>`
}

function split(tokens: readonly Token[]): { introduction: Token[]; sections: Section[] } {
  const introduction: Token[] = []
  const sections: Section[] = []
  for (const token of tokens) {
    if (token.type === "heading" && token["depth"] === 2) {
      sections.push({ title: (token as Tokens.Heading).text, tokens: [] })
    }
    const { tokens } = sections.at(-1) ?? { tokens: introduction }
    tokens.push(token)
  }
  return { introduction, sections }
}

function rendererFor(origin: string): RendererObject {
  return {
    heading({ depth, text, tokens }) {
      const id = depth === 1 ? "" : ` id="${idOf(text)}"`
      return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      return `<a ${linkTo(href)}>${this.parser.parseInline(tokens)}</a>`
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`
    },
    table({ header, rows }) {
      const cells = (row: readonly Tokens.TableCell[], open: string, close: string) =>
        row.map(({ tokens }) => open + this.parser.parseInline(tokens) + close).join("")
      const names = header.map(({ text }) => text.replaceAll("`", "")).join(", ")
      const body = rows.map((row) => `<tr>${cells(row, "<td>", "</td>")}</tr>`).join("\n")
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table: ${names}">
<table>
<thead><tr>${cells(header, '<th scope="col">', "</th>")}</tr></thead>
<tbody>
${body}
</tbody>
</table>
</div>
`
    },
    html({ text }) {
      const [, name, step = ""] = /^<!-- (examples|languages)(?:: ([\w-]+))? -->\s*$/.exec(text) ??
        []
      if (name === "examples") return `${examples(step, origin)}\n`
      if (name === "languages") return readText("languages.html")
      throw new TypeError(`the guide has no placeholder ${text.trim()}`)
    },
  }
}

/** Returns the attributes of a link. The text links to files of this folder, the page to their URLs. */
function linkTo(href: string): string {
  if (href.startsWith("#")) return `href="${href}"`
  if (href === "reference.html") return 'href="/docs/reference"'
  const [, program] = /^examples\/([\w.]+)$/.exec(href) ?? []
  if (program !== undefined) return `href="/docs/${program}" download`
  throw new TypeError(`the guide links to ${href}, which is not served`)
}

/** Returns the id of a heading, the same as on GitHub. */
function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
}
