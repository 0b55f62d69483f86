import { type Content, copiedId, type Html, html } from "../../design/design.ts"

/** Links to pages about things. If the page is not mounted, only the words are shown. */
export interface Links {
  /** Returns true if a page with this path, such as `/partners/:name`, is mounted. */
  has(path: string): boolean
  partner(name: string, words?: string): Html
  account(name: string, words?: string): Html
  event(id: string, words: Content): Html
  /** Links to the entries of the audit log about a request. */
  request(id: string | null): Html
  /** Links to the entries of the audit log that match a filter; undefined without that page. */
  audit(filter: string, value: string, words: Content): Html | undefined
  /** Links to a section of a handbook page, by the id of its heading. */
  handbook(page: string, section: string, words: Content): Html
}

/** Returns links to the pages with these paths. */
export function linksTo(paths: ReadonlySet<string>): Links {
  const has = (path: string) => paths.has(path)
  const link = (path: string, address: string, words: Content) => {
    if (!has(path)) return html`${words}`
    return isLong(words)
      ? html`<a class="long-name" href="/console${address}">${words}</a>`
      : html`<a href="/console${address}">${words}</a>`
  }
  const entries = (filter: string, value: string, words: Content) =>
    link("/audit", `/audit?${filter}=${encodeURIComponent(value)}`, words)
  return {
    has,
    partner: (name, words = name) =>
      link("/partners/:name", `/partners/${encodeURIComponent(name)}`, words),
    account: (name, words = name) =>
      link("/accounts/:name", `/accounts/${encodeURIComponent(name)}`, words),
    event: (id, words) => link("/events/:event", `/events/${encodeURIComponent(id)}`, words ?? id),
    request: (id) =>
      id === null || id === "" ? html`<span class="quiet">–</span>` : entries(
        "request",
        id,
        copiedId(id),
      ),
    audit: (filter, value, words) => has("/audit") ? entries(filter, value, words) : undefined,
    handbook: (page, section, words) =>
      link("/handbook/:page", `/handbook/${page}#${section}`, words),
  }
}

/** Returns true for a long name, which may wrap anywhere; others stay on one line. */
function isLong(words: Content): boolean {
  return typeof words === "string" && words.length > 28
}
