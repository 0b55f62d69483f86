import { type Html, html, trusted } from "../../design/design.ts"
import { renderMarkdown } from "../../design/markdown.ts"
import { choiceHtml, tokenButton } from "./choice.ts"
import { exampleFigures } from "./examples.ts"
import type { TextPage } from "./pages.ts"
import { textOf, type TextReader, urlOf } from "./texts.ts"
import { readText } from "./text-file.ts"

/** A page without its frame. */
export interface RenderedPage {
  readonly title: string
  readonly main: Html
  /** The second-level headings. */
  readonly contents: readonly { readonly id: string; readonly title: string }[]
}

/**
 * Renders a page for its reader as HTML.
 *
 * @throws {TypeError} if the text has an unknown placeholder or a link to a file that is not served.
 */
export function renderPage(page: TextPage, reading: TextReader): RenderedPage {
  const { reader, offers } = reading
  /** The record whose fields the next table lists. */
  let record: string | undefined
  const parts: Readonly<Record<string, (name: string) => Html | string>> = {
    examples: () => exampleFigures(reader),
    languages: () => readText("languages.html"),
    choice: () =>
      html`${choiceHtml(reader)}${
        reader.example && offers.has("POST /session/tokens") && tokenButton
      }`,
    record: (name) => {
      record = name
      return ""
    },
  }
  const { title, headings, main } = renderMarkdown(textOf(page, reading), {
    link(href) {
      const [file = "", hash] = href.split("#")
      const url = file === "" ? "" : urlOf(file, reader)
      return `${url}${hash === undefined ? "" : `#${hash}`}`
    },
    part(text) {
      const [, name = "", argument = ""] = /^<!-- (\w+)(?: (\w+))? -->\s*$/.exec(text) ?? []
      const part = Object.hasOwn(parts, name) ? parts[name] : undefined
      if (!part) throw new TypeError(`the guide has no placeholder ${text.trim()}`)
      return `${part(argument)}\n`
    },
    image: drawing,
    rowId(header, row) {
      const [start, column] = idsOf(header, record)
      const name = row[column]
      return name ? `${start}${name}` : undefined
    },
  })
  if (title === undefined) throw new TypeError(`${page.file} begins without a title`)
  return { title, main, contents: headings.filter(({ depth }) => depth === 2) }
}

function drawing(href: string, words: string): Html {
  if (!href.endsWith("cycle.svg")) {
    throw new TypeError(`the guide shows ${href}, which is not a drawing`)
  }
  // The page's style sheet contains the drawing's styles.
  const svg = trusted(readText("cycle.svg").replace(/<style>.*?<\/style>\s*/s, ""))
  return html`<figure class="drawing" aria-label="${words}">${svg}</figure>`
}

/** Returns the prefix of the ids of a table's rows, and the column that completes them. */
function idsOf(
  header: readonly string[],
  record: string | undefined,
): [start: string, column: number] {
  if (record !== undefined) return [`${record}.`, 0]
  if (header[0] === "Parameter" && header[1] === "Default") return ["parameter-", 0]
  return ["error-", header.indexOf("`code`")]
}
