import { Marked, type Token, type Tokens } from "marked"
import { type Content, type Html, html } from "../../design/design.ts"

/** A heading below the title. Its id is the one that links of the documents use. */
export interface Heading {
  readonly id: string
  readonly depth: number
  readonly words: Content
}

/** A document as a page. */
export interface Rendered {
  readonly headings: readonly Heading[]
  readonly body: Html
}

/** Returns where a link leads; undefined if only its words are shown. */
type Resolve = (href: string) => string | undefined

/** Makes a page of Markdown, without its title. HTML in the text is left out: a page consists of the elements below only. */
export function renderMarkdown(text: string, resolve: Resolve): Rendered {
  const tokens = new Marked().lexer(text)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === "heading")
  return {
    headings: headings.filter(({ depth }) => depth > 1).map((heading) => ({
      id: idOf(heading),
      depth: heading.depth,
      words: inline(heading.tokens, () => undefined),
    })),
    body: html`${blocks(tokens, resolve)}`,
  }
}

/** Returns the id of a heading, the same as on GitHub. */
function idOf({ text }: Tokens.Heading): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
}

function blocks(tokens: readonly Token[], resolve: Resolve): Content[] {
  return tokens.map((token) => [block(token, resolve), "\n"])
}

function block(token: Token, resolve: Resolve): Content {
  switch (token.type) {
    case "heading":
      return heading(token as Tokens.Heading, resolve)
    case "paragraph":
      return html`<p>${inline(innerOf(token), resolve)}</p>`
    case "text":
      return inline(innerOf(token), resolve)
    case "code":
      return html`<pre tabindex="0"><code>${(token as Tokens.Code).text}</code></pre>`
    case "list":
      return list(token as Tokens.List, resolve)
    case "table":
      return table(token as Tokens.Table, resolve)
    case "blockquote":
      return html`<blockquote>${blocks(innerOf(token), resolve)}</blockquote>`
    case "space":
    case "html":
      return null
    default:
      throw new TypeError(`the handbook has no place for ${token.type}`)
  }
}

function heading(token: Tokens.Heading, resolve: Resolve): Content {
  const { depth, tokens } = token
  const words = inline(tokens, resolve)
  const id = idOf(token)
  if (depth === 1) return null
  const link = html`<a class="anchor" href="#${id}" aria-label="Link to ${plainText(tokens)}">#</a>`
  return depth === 2
    ? html`<h2 id="${id}">${words} ${link}</h2>`
    : html`<h3 id="${id}">${words} ${link}</h3>`
}

function list({ ordered, start, items }: Tokens.List, resolve: Resolve): Html {
  const entries = items.map(({ tokens }) => html`<li>${blocks(tokens, resolve)}</li>\n`)
  if (!ordered) return html`<ul>\n${entries}</ul>`
  return typeof start === "number" && start !== 1
    ? html`<ol start="${start}">\n${entries}</ol>`
    : html`<ol>\n${entries}</ol>`
}

function table({ header, rows }: Tokens.Table, resolve: Resolve): Html {
  const names = header.map(({ tokens }) => plainText(tokens)).join(", ")
  const head = header.map(({ tokens }) => html`<th scope="col">${inline(tokens, resolve)}</th>`)
  const body = rows.map((cells) =>
    html`<tr>${cells.map(({ tokens }) => html`<td>${inline(tokens, resolve)}</td>`)}</tr>\n`
  )
  return html`
    <div class="table" tabindex="0" role="group" aria-label="Table: ${names}">
      <table>
        <thead>
          <tr>${head}</tr>
        </thead>
        <tbody>
    ${body}</tbody>
      </table>
    </div>
  `
}

function inline(tokens: readonly Token[], resolve: Resolve): Content[] {
  return tokens.map((token) => {
    const inner = () => inline(innerOf(token), resolve)
    switch (token.type) {
      case "text":
        return innerOf(token).length > 0 ? inner() : textOf(token)
      case "escape":
        return textOf(token)
      case "codespan":
        return html`<code>${textOf(token)}</code>`
      case "strong":
        return html`<strong>${inner()}</strong>`
      case "em":
        return html`<em>${inner()}</em>`
      case "br":
        return html`<br>`
      case "link": {
        const address = resolve((token as Tokens.Link).href)
        return address === undefined ? inner() : html`<a href="${address}">${inner()}</a>`
      }
      case "html":
        return null
      default:
        throw new TypeError(`the handbook has no place for ${token.type} in a text`)
    }
  })
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => {
    const inner = innerOf(token)
    return inner.length > 0 ? plainText(inner) : textOf(token)
  }).join("")
}

function innerOf(token: Token): readonly Token[] {
  return "tokens" in token ? token.tokens ?? [] : []
}

function textOf(token: Token): string {
  return "text" in token ? String(token.text) : ""
}
