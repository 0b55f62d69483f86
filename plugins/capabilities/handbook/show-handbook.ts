import { Problem } from "../../../core/plugin.ts"
import { type Html, html, redirectTo } from "../../design/design.ts"
import type { Heading } from "../../design/markdown.ts"
import { queryOf, respond, type Visit } from "../../service/console/page.ts"
import {
  addressOf,
  type Document,
  findDocument,
  listPages,
  readDocument,
  resolveLink,
  titleOf,
} from "./documents.ts"

/**
 * Shows a page of the handbook. The query parameter `section` leads to a heading, since logging in loses the part after
 * `#`.
 */
export async function showHandbook(visit: Visit): Promise<Response> {
  const document = findDocument(visit.params["page"] ?? "")
  if (!document) throw new Problem("not_found", "The handbook has no such page.")
  const { headings, main } = await render(visit, document)
  const section = queryOf(visit, "section")
  if (headings.some(({ id }) => id === section)) {
    return redirectTo(`${addressOf(document)}#${section}`)
  }
  return respond(visit, {
    title: titleOf(document),
    current: "/console/handbook",
    main: html`
      <div class="handbook">
        <nav aria-label="Handbook">
          ${headings.length > 1 && contents(headings)}
          ${pageList(document)}
        </nav>
        <article>${main}</article>
      </div>
    `,
  })
}

async function render(visit: Visit, document: Document) {
  const text = readDocument(document)
  if (!document.path.endsWith(".md")) {
    return { headings: [], main: html`<pre tabindex="0"><code>${text}</code></pre>` }
  }
  // The parser is loaded with the first page, so that the service starts faster.
  const { renderMarkdown } = await import("../../design/markdown.ts")
  const guide = visit.host.status().routes.some(({ path }) => path === "/docs")
  return renderMarkdown(text, { link: (href) => resolveLink(document, href, { guide }) })
}

function contents(headings: readonly Heading[]): Html {
  return html`
    <details open>
      <summary>On this page</summary>
      <ul>${headings.map(({ id, depth, title }) =>
        html`
          <li${depth > 2 && html`
            class="deep"
          `}><a href="#${id}">${title}</a></li>
        `
      )}</ul>
    </details>
  `
}

function pageList(current: Document): Html {
  return html`
    <details>
      <summary>All pages</summary>
      <ul>${listPages().map((page) =>
        html`
          <li><a href="${addressOf(page)}"${page.path === current.path && html`
            aria-current="page"
          `}>${titleOf(page)}</a></li>
        `
      )}</ul>
    </details>
  `
}
