import { Buffer } from "node:buffer"
import { formatMoment } from "../../core/plugin.ts"
import { type Content, type Html, html } from "./html.ts"

const directives = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self' data:",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
  "form-action": "'self'",
}

/**
 * Returns the content security policy of a page: only this service's own scripts, styles and requests, and nothing
 * inline, unless `more` overrides it.
 */
export function pagePolicy(more: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...directives, ...more }).map((each) => each.join(" ")).join("; ")
}

/** Pages that belong together, with a log-in page at `PATH/log-in` and files at `PATH/files/`. */
export interface Area {
  /** `Documents` or `Console`. */
  readonly name: string
  readonly path: "/docs" | "/console"
  readonly search: {
    readonly action: string
    readonly label: string
    /**
     * True if the page also returns `{ hits: [{ path, name, kind, about }] }` as JSON, to show while the user types.
     */
    readonly answersJson?: true
  }
}

/** Entries of the navigation; with a name if there are several groups. */
export interface Group {
  readonly name?: string
  readonly entries: readonly { readonly path: string; readonly name: string }[]
}

/** A page. Without navigation it is a centred card, such as the log-in page. */
export interface FramedPage {
  readonly area: Area
  readonly title: string
  readonly main: Content
  readonly navigation?: readonly Group[]
  /** The path of the navigation entry to mark. */
  readonly current?: string
  /**
   * Who is logged in, and the token for their forms. Others see a link to the log-in page, if there is a navigation.
   */
  readonly reader?: { readonly username: string; readonly token: string } | undefined
  /** The headings to list under "On this page", with their ids. */
  readonly contents?: readonly { readonly id: string; readonly title: string }[]
  /** The contact for questions: an e-mail address or a URL. */
  readonly contact?: string | undefined
  /** The names of the modules that the page loads, among the area's files. */
  readonly scripts?: readonly string[]
  /** The names of the style sheets that it loads before the design's, among the area's files. */
  readonly styles?: readonly string[]
  /** False for a page on which people enter a password: it loads no scripts at all. */
  readonly hasScripts?: boolean
  /** True for a document whose main part fills the page and has its own styles: the viewer of the reference. */
  readonly isWhole?: true
  /** The text in the search field. */
  readonly search?: string
  /** One sentence for search engines. */
  readonly description?: string
  /** The time of the page's data, in Unix seconds. */
  readonly asOf?: number
  /** Seconds after which the page's script fetches changes; never by default. */
  readonly refresh?: number
  /** The path to which the browser goes at once, as if the reader had followed a link on this page. */
  readonly forwardTo?: string
}

/** Returns the path of an area's log-in page, which then leads to the path `next`. */
export function logInPath({ path }: Area, next: string): string {
  return `${path}/log-in${next === path ? "" : `?next=${encodeURIComponent(next)}`}`
}

/** Returns the response for a page, which no cache may keep. */
export function respondPage(
  { status = 200, headers = {}, ...page }: FramedPage & {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
  },
): Response {
  return respondHtml(pageText(page), { status, headers })
}

/** Returns the response for a text that is HTML, which no cache may keep. */
export function respondHtml(
  text: string,
  { status = 200, headers = {} }: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Response {
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(text)),
      "content-security-policy": pagePolicy(),
      "cache-control": "no-store",
      // Otherwise, some browsers send `Origin: null` with a form.
      "referrer-policy": "same-origin",
      ...headers,
    },
  })
}

/** Redirects the browser to another page, after a form or to log in. */
export function redirectTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: path, "cache-control": "no-store", ...headers },
  })
}

/** Renders a page as a complete HTML document. */
export function pageText(page: FramedPage): string {
  return `<!doctype html>\n${frame(page)}`
}

function frame(page: FramedPage): Html {
  const { area, title, main, refresh, forwardTo, description, hasScripts = true, isWhole } = page
  const { navigation = [], contents = [], contact, scripts = [], styles = [] } = page
  const files = `${area.path}/files`
  const attributes = [
    refresh && html`
      data-refresh="${refresh}"
    `,
    html`
      class="${area.path.slice(1)}${navigation.length === 0 && " plain"}"
    `,
  ]
  return html`
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${forwardTo && html`<meta http-equiv="refresh" content="0; url=${forwardTo}">`}
    <title>${title} – event-export</title>
    ${description && html`<meta name="description" content="${description}">`}
    <link rel="icon" href="${files}/icon.svg" type="image/svg+xml">
    ${styles.map((name) => html`<link rel="stylesheet" href="${files}/${name}">`)}
    <link rel="stylesheet" href="${files}/design.css">
    ${hasScripts && html`
      <script src="${files}/theme.js"></script>
      ${["page.js", ...scripts].map((name) =>
        html`<script type="module" src="${files}/${name}"></script>`
      )}
    `}
      </head>
      <body${attributes}>
    <a class="skip" href="#main">Skip to the content</a>
    ${navigation.length > 0
      ? sideOf(page, navigation)
      : html`<header>${brandOf(area)}${page.reader && readerOf(area, page.reader)}</header>`}
    ${refresh && html`<p class="live" id="live" role="status"></p>`}
    <main id="main" tabindex="-1">
    <div class="head">
    <h1>${title}</h1>
    ${refresh &&
      html`<p id="updated">As of ${formatMoment(page.asOf ?? null).slice(11, 19)} UTC</p>`}
    </div>
    ${contents.length > 1 && contentsOf(contents)}
    ${contents.length > 1 || area.path === "/docs" && navigation.length > 0 && !isWhole
      ? html`<div class="${area.path === "/docs" && "text"}">${main}</div>`
      : main}
    </main>
    ${contact !== undefined && html`<footer>Questions: ${contactLink(contact)}</footer>`}
    </body>
    </html>
  `
}

function brandOf({ path }: Area): Html {
  return html`<a class="brand" href="${path}"><span class="mark" aria-hidden="true">↗</span>
  <span>event-export</span></a>`
}

/** Says who is logged in, with a button that logs out. */
function readerOf({ path }: Area, { username, token }: NonNullable<FramedPage["reader"]>): Html {
  return html`
    <p class="who" title="${username}">${username}</p>
    <form method="post" action="${path}/log-out">
      <input type="hidden" name="token" value="${token}">
      <button>Log out</button>
    </form>
  `
}

function contactLink(contact: string): Html {
  const isUrl = contact.startsWith("https://")
  return html`<a href="${isUrl ? contact : `mailto:${contact}`}">${contact}</a>`
}

/** Lists a page's headings: on the right of wide screens, otherwise folded above the text. */
function contentsOf(contents: NonNullable<FramedPage["contents"]>): Html {
  return html`
    <nav class="on-page" aria-labelledby="contents">
      <details>
        <summary id="contents">On this page</summary>
        <ul>${contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
      </details>
    </nav>
  `
}

/** Shows the search and the navigation. On small screens, a button opens the navigation without scripts. */
function sideOf(page: FramedPage, navigation: readonly Group[]): Html {
  const { area, current, search = "", reader } = page
  const { action, label, answersJson } = area.search
  return html`
    <header class="top">
    ${brandOf(area)}
    <form class="search" role="search" action="${action}"${answersJson && html`
      data-json
    `}>
      <input type="search" id="search" name="q" value="${search}" maxlength="200" required
        aria-label="${label}" placeholder="Search" autocapitalize="none"
        autocomplete="off"><kbd aria-hidden="true">/</kbd>
    </form>
    <button class="menu" type="button" popovertarget="frame.pages">Menu</button>
    <div class="pages" id="frame.pages" popover>
    <nav aria-label="Pages">
    ${navigation.map(({ name, entries }) =>
      html`
        ${name !== undefined && html`<p class="group-name">${name}</p>`}
        <ul>${entries.map((entry) =>
          html`<li><a href="${entry.path}"${
            entry.path === current && html`
              aria-current="page"
            `
          }>${entry.name}</a></li>`
        )}</ul>
      `
    )}</nav>
    <div class="account">
    ${reader
      ? readerOf(area, reader)
      : html`<a class="button" href="${logInPath(area, current ?? area.path)}">Log in</a>`}
    <button class="theme" type="button" id="theme" hidden></button>
    </div>
    </div>
    </header>
  `
}
