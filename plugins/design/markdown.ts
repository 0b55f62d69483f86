import { Marked, type RendererObject, type Token, type Tokens } from "marked"
import { codeFigure, pair } from "./code.ts"
import { type Html, html, trusted } from "./html.ts"

/** The options that differ between rendered documents. */
export interface MarkdownOptions {
  /** Returns the target of a link; undefined to show only its text. */
  link(href: string): string | undefined
  /** Returns the replacement for HTML in the text, such as a comment. Without this function, HTML is removed. */
  part?(text: string): Html | string
  /** Returns the replacement for an image. Without this function, the alternative text is shown. */
  image?(href: string, words: string): Html
  /** Returns the id of a table's row. Without this function, rows have no ids. */
  rowId?(header: readonly string[], row: readonly string[]): string | undefined
}

/** A heading below the title, with the id that the documents' links use. */
export interface Heading {
  readonly id: string
  readonly depth: number
  /** The text without markup. */
  readonly title: string
}

/** A document, rendered as a page. */
export interface RenderedMarkdown {
  /** Undefined if the text does not begin with a title. */
  readonly title: string | undefined
  readonly headings: readonly Heading[]
  /** The page without its title. Shell requests and the JSON directly after them are side by side. */
  readonly main: Html
}

/** Renders Markdown as a page. Never passes HTML in the text through. */
export function renderMarkdown(text: string, options: MarkdownOptions): RenderedMarkdown {
  const marked = new Marked({ renderer: rendererFor(options) })
  const [first, ...others] = marked.lexer(text)
  const title = first && isHeading(first) && first.depth === 1 ? first.text : undefined
  const rest = title === undefined && first ? [first, ...others] : others
  const pieces = piecesOf(rest).map((piece) => (
    "request" in piece
      ? pair(
        figureOf(piece.request, "Request"),
        piece.responses.map((each) => figureOf(each, "Response")),
      )
      : trusted(marked.parser(piece.tokens))
  ))
  return {
    title,
    headings: rest.filter(isHeading)
      .map(({ text, depth }) => ({ id: idOf(text), depth, title: text.replaceAll("`", "") })),
    main: withDistinctRegions(html`${pieces}`),
  }
}

/** Returns the id of a heading, as on GitHub. */
export function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
}

const captions: Readonly<Record<string, string>> = {
  sh: "Shell",
  json: "JSON",
  python: "Python",
  sql: "SQL",
  ts: "TypeScript",
  js: "JavaScript",
  yaml: "YAML",
}

/** The longest inline code, in characters, that is kept on one line. */
const longestWord = 28

/** Numbers regions with the same name, so that screen readers can tell them apart. */
function withDistinctRegions(main: Html): Html {
  const seen = new Map<string, number>()
  return trusted(
    String(main).replaceAll(/(role="region" aria-label="([^"]*))"/g, (all, start, name) => {
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      return count === 1 ? all : `${start} ${count}"`
    }),
  )
}

type Piece =
  | { readonly request: Tokens.Code; readonly responses: Tokens.Code[] }
  | { readonly tokens: Token[] }

/** Splits a text so that requests and the responses that follow them form pairs. */
function piecesOf(tokens: readonly Token[]): Piece[] {
  const shown = tokens.filter(({ type }) => type !== "space")
  const pieces: Piece[] = []
  for (let at = 0; at < shown.length; at++) {
    const [token, next] = [shown[at], shown[at + 1]]
    const last = pieces.at(-1)
    if (token && isCode(token, "json") && last && "responses" in last) last.responses.push(token)
    else if (token && next && isCode(token, "sh") && isCode(next, "json")) {
      pieces.push({ request: token, responses: [] })
    } else if (token && last && "tokens" in last) last.tokens.push(token)
    else if (token) pieces.push({ tokens: [token] })
  }
  return pieces
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading"
}

function isCode(token: Token, language: string): token is Tokens.Code {
  return token.type === "code" && token["lang"] === language
}

function figureOf({ text, lang = "" }: Tokens.Code, label = captions[lang] ?? "Example"): Html {
  return codeFigure(`${text}\n`, { syntax: lang, label })
}

/** Returns the renderer from Markdown to HTML. */
function rendererFor({ link, part, image, rowId }: MarkdownOptions): RendererObject {
  return {
    heading({ depth, text, tokens }) {
      const content = trusted(this.parser.parseInline(tokens))
      const id = idOf(text)
      const name = `Link to ${text.replaceAll("`", "")}`
      const anchor = html`<a class="anchor" href="#${id}" aria-label="${name}">#</a>`
      return `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const content = trusted(this.parser.parseInline(tokens))
      const target = link(href)
      return String(target === undefined ? content : html`<a href="${target}">${content}</a>`)
    },
    paragraph({ tokens }) {
      const content = this.parser.parseInline(tokens)
      return tokens.every(({ type }) => type === "image") ? `${content}\n` : `<p>${content}</p>\n`
    },
    image: ({ href, text }) => String(image?.(href, text) ?? html`${text}`),
    codespan({ text }) {
      return String(html`<code${
        text.length > longestWord && html`
          class="long"
        `
      }>${text}</code>`)
    },
    code: (token) => `${figureOf(token)}\n`,
    table({ header, rows }) {
      const words = (cells: readonly Tokens.TableCell[]) =>
        cells.map(({ text }) => text.replaceAll("`", ""))
      const names = words(header)
      const content = (tokens: Token[]) => trusted(this.parser.parseInline(tokens))
      const body = rows.map((row) => {
        const id = rowId?.(header.map(({ text }) => text), words(row))
        return html`<tr${
          id !== undefined && html`
            id="${id}"
          `
        }>${
          row.map(({ tokens }, index) =>
            index === 0
              ? html`<th scope="row">${content(tokens)}</th>`
              : html`<td data-label="${names[index]}">${content(tokens)}</td>`
          )
        }</tr>\n`
      })
      return String(html`
        <div class="table cards" tabindex="0" role="region" aria-label="Table: ${names.join(", ")}">
          <table>
            <thead>
              <tr>${header.map(({ tokens }) => html`<th scope="col">${content(tokens)}</th>`)}</tr>
            </thead>
            <tbody>
        ${body}</tbody>
          </table>
        </div>
      `)
    },
    html: ({ text }) => String(part?.(text) ?? ""),
  }
}
