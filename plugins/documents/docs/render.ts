import { Marked, type RendererObject, type Token, type Tokens } from "marked"
import { codeFigure, type Html, html, pair, trusted } from "../../design/design.ts"
import { choiceHtml } from "./choice.ts"
import { exampleFigures } from "./examples.ts"
import type { TextPage } from "./pages.ts"
import { type Reading, textOf, urlOf } from "./texts.ts"
import { readText } from "./text-file.ts"

/** A page before it is put into the frame. */
export interface RenderedPage {
  readonly title: string
  readonly main: Html
  /** The headings of the second level. */
  readonly contents: readonly { readonly id: string; readonly title: string }[]
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

/** The longest inline code, in characters, that is never broken into two lines. */
const longestWord = 28

/**
 * Returns a page for its reader as HTML. Requests in the shell and the JSON that follows them at once stand side by side.
 *
 * @throws {TypeError} if the text has an unknown placeholder or a link to a file that is not served.
 */
export function renderPage(page: TextPage, reading: Reading): RenderedPage {
  const marked = new Marked({ renderer: rendererFor(reading) })
  const tokens = marked.lexer(textOf(page, reading))
  const [first, ...rest] = tokens
  if (!first || !isHeading(first, 1)) throw new TypeError(`${page.file} begins without a title`)
  const headings = tokens.filter((token) => isHeading(token, 2))
  return {
    title: first.text,
    main: withDistinctRegions(html`${
      piecesOf(rest).map((piece) => (
        "request" in piece
          ? pair(
            figureOf(piece.request, "Request"),
            piece.responses.map((each) => figureOf(each, "Response")),
          )
          : trusted(marked.parser(piece.tokens))
      ))
    }`),
    contents: headings.map(({ text }) => ({ id: idOf(text), title: text.replaceAll("`", "") })),
  }
}

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

/** Cuts a text where responses follow their requests. */
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

function isHeading(token: Token, depth: number): token is Tokens.Heading {
  return token.type === "heading" && token["depth"] === depth
}

function isCode(token: Token, language: string): token is Tokens.Code {
  return token.type === "code" && token["lang"] === language
}

function figureOf({ text, lang = "" }: Tokens.Code, label = captions[lang] ?? "Example"): Html {
  return codeFigure(`${text}\n`, { syntax: lang, label })
}

/** Returns how Markdown becomes HTML here. */
function rendererFor({ reader }: Reading): RendererObject {
  let record: string | undefined
  const parts: Readonly<Record<string, (name: string) => Html | string>> = {
    examples: () => exampleFigures(reader),
    languages: () => readText("languages.html"),
    choice: () => choiceHtml(reader),
    record: (name) => {
      record = name
      return ""
    },
  }
  return {
    heading({ depth, text, tokens }) {
      const content = trusted(this.parser.parseInline(tokens))
      const id = idOf(text)
      const name = `Link to ${text.replaceAll("`", "")}`
      const link = html`<a class="anchor" href="#${id}" aria-label="${name}">#</a>`
      return `<h${depth} id="${id}">${content} ${link}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const [file = "", hash] = href.split("#")
      const url = file === "" ? "" : urlOf(file, reader)
      const target = `${url}${hash === undefined ? "" : `#${hash}`}`
      const content = trusted(this.parser.parseInline(tokens))
      return String(html`<a href="${target}">${content}</a>`)
    },
    paragraph({ tokens }) {
      const content = this.parser.parseInline(tokens)
      return tokens.every(({ type }) => type === "image") ? `${content}\n` : `<p>${content}</p>\n`
    },
    image({ href, text }) {
      if (!href.endsWith("cycle.svg")) {
        throw new TypeError(`the guide shows ${href}, which is no drawing`)
      }
      // The page's style sheet has the drawing's styles.
      const drawing = trusted(readText("cycle.svg").replace(/<style>.*?<\/style>\s*/s, ""))
      return String(html`<figure class="drawing" aria-label="${text}">${drawing}</figure>`)
    },
    codespan({ text }) {
      return String(html`<code${
        text.length > longestWord && html`
          class="long"
        `
      }>${text}</code>`)
    },
    code(token) {
      return `${figureOf(token)}\n`
    },
    table({ header, rows }) {
      const names = header.map(({ text }) => text.replaceAll("`", "")).join(", ")
      const [start, column] = idsOf(header.map(({ text }) => text), record)
      record = undefined
      const content = (tokens: Token[]) => trusted(this.parser.parseInline(tokens))
      const body = rows.map((row) => {
        const name = row[column]?.text.replaceAll("`", "")
        return html`<tr${
          name && html`
            id="${start}${name}"
          `
        }>${
          row.map(({ tokens }, index) =>
            index === 0
              ? html`<th scope="row">${content(tokens)}</th>`
              : html`<td data-label="${header[index]?.text.replaceAll("`", "")}">${
                content(tokens)
              }</td>`
          )
        }</tr>\n`
      })
      return String(html`
        <div class="table cards" tabindex="0" role="region" aria-label="Table: ${names}">
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
    html({ text }: Tokens.HTML | Tokens.Tag) {
      const [, name = "", argument = ""] = /^<!-- (\w+)(?: (\w+))? -->\s*$/.exec(text) ?? []
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined
      if (!part) throw new TypeError(`the guide has no placeholder ${text.trim()}`)
      return `${part(argument)}\n`
    },
  }
}

/** Returns how the ids of a table's rows begin, and the column that they are made of: that of errors, parameters, fields. */
function idsOf(
  header: readonly string[],
  record: string | undefined,
): [start: string, column: number] {
  if (record !== undefined) return [`${record}.`, 0]
  if (header[0] === "Parameter" && header[1] === "Default") return ["parameter-", 0]
  return ["error-", header.indexOf("`code`")]
}

/** Returns the id of a heading, the same as on GitHub. */
export function idOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
}
