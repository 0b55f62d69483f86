import type { RendererObject, Tokens } from "marked"
import { codeFigure } from "../../design/design.ts"
import { escapeHtml } from "../../../core/plugin.ts"
import { readText } from "./text-file.ts"

const captions: Readonly<Record<string, string>> = {
  sh: "Shell",
  json: "JSON",
  python: "Python",
  sql: "SQL",
  ts: "TypeScript",
  yaml: "YAML",
}

/** The longest inline code, in characters, that is never broken into two lines. */
const longestWord = 28

/**
 * Returns how Markdown becomes HTML here. `urlOf` returns the URL of a link that is none within the page;
 * `part` the HTML for a comment.
 */
export function rendererFor(
  urlOf: (href: string) => string,
  part: (comment: string) => string = () => "",
): RendererObject {
  return {
    heading({ depth, text, tokens }) {
      const content = this.parser.parseInline(tokens)
      if (depth === 1) return `<h1>${content}</h1>\n`
      const id = idOf(text)
      const name = escapeHtml(`Link to ${text.replaceAll("`", "")}`)
      return `<h${depth} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="${name}">#</a></h${depth}>\n`
    },
    link({ href, tokens }) {
      const [file = "", hash] = href.split("#")
      const url = file === "" ? "" : urlOf(file)
      const download = /\/poll\.\w+(\?|$)/.test(url) ? " download" : ""
      const target = `${url}${hash === undefined ? "" : `#${hash}`}`
      return `<a href="${escapeHtml(target)}"${download}>${this.parser.parseInline(tokens)}</a>`
    },
    paragraph({ tokens }) {
      const content = this.parser.parseInline(tokens)
      return tokens.every(({ type }) => type === "image") ? `${content}\n` : `<p>${content}</p>\n`
    },
    image({ href, text }) {
      if (!href.endsWith(".svg")) {
        throw new TypeError(`the guide shows ${href}, which is no drawing`)
      }
      // The page's style sheet has the drawing's styles.
      const drawing = readText(href).replace(/<style>.*?<\/style>\s*/s, "")
      return `<figure class="drawing" aria-label="${escapeHtml(text)}">${drawing}</figure>`
    },
    codespan({ text }) {
      const long = text.length > longestWord ? ' class="long"' : ""
      return `<code${long}>${escapeHtml(text)}</code>`
    },
    code({ text, lang = "" }) {
      return `${codeFigure(`${text}\n`, { syntax: lang, label: captions[lang] ?? "Example" })}\n`
    },
    table({ header, rows }) {
      const names = header.map(({ text }) => text.replaceAll("`", "")).join(", ")
      const codes = header.findIndex(({ text }) => text === "`code`")
      const head = header.map(({ tokens }) =>
        `<th scope="col">${this.parser.parseInline(tokens)}</th>`
      )
      const body = rows.map((row) => {
        const code = row[codes]?.text.replaceAll("`", "")
        const cells = row.map(({ tokens }) => `<td>${this.parser.parseInline(tokens)}</td>`)
        return `<tr${code ? ` id="error-${code}"` : ""}>${cells.join("")}</tr>`
      })
      return `<div class="scroll" tabindex="0" role="region" aria-label="Table: ${names}">
<table>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>
`
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return part(text)
    },
  }
}

/** Returns the id of a heading, the same as on GitHub. */
export function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
}
