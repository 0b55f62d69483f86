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
 * Returns the content security policy of a page: only this service's own scripts, styles and requests, and nothing inline,
 * unless `more` says otherwise.
 */
export function pagePolicy(more: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...directives, ...more }).map((each) => each.join(" ")).join("; ")
}

/** Pages that belong together. They have a log-in page at `PATH/log-in`, and their files at `PATH/files/`. */
export interface Area {
  /** `Documents` or `Console`. */
  readonly name: string
  readonly path: "/docs" | "/console"
  readonly search: {
    readonly action: string
    readonly label: string
    /** True if the page also answers `{ hits: [{ path, name, kind, about }] }` in JSON, to show while somebody types. */
    readonly answersJson?: true
  }
}

/** Entries of the navigation, with a name if there are several groups. */
export interface Group {
  readonly name?: string
  readonly entries: readonly { readonly path: string; readonly name: string }[]
}

/** A page. Without navigation it is a card in the middle, such as the log-in page. */
export interface FramedPage {
  readonly area: Area
  readonly title: string
  readonly main: Content
  readonly navigation?: readonly Group[]
  /** The path of the entry that is marked. */
  readonly current?: string
  /** Who is logged in, and the token of their forms. Others see a link to the log-in page, beside a navigation. */
  readonly reader?: { readonly username: string; readonly token: string } | undefined
  /** The headings that are listed as "On this page", by their ids. */
  readonly contents?: readonly { readonly id: string; readonly title: string }[]
  /** Whom to ask: an e-mail address or a URL. */
  readonly contact?: string | undefined
  /** Modules that the page loads, by their names among the area's files. */
  readonly scripts?: readonly string[]
  /** Style sheets that it loads before the design's, by their names among the area's files. */
  readonly styles?: readonly string[]
  /** False for a page where somebody enters a password: it loads no script at all. */
  readonly hasScripts?: boolean
  /** True for a document whose main part has all the room, and its own looks: the viewer of the reference. */
  readonly isWhole?: true
  /** The text that is searched for. */
  readonly search?: string
  /** One sentence for search engines. */
  readonly description?: string
  /** The time that the page is from, in Unix seconds. */
  readonly asOf?: number
  /** Seconds after which a script of the page asks for what has changed; by default never. */
  readonly refresh?: number
  /** Sends the browser on at once, as if a link of this page had been followed. */
  readonly forwardTo?: string
}

/** Returns the path of an area's log-in page that leads to `next`, the path of a page, after it. */
export function logInPath({ path }: Area, next: string): string {
  return `${path}/log-in${next === path ? "" : `?next=${encodeURIComponent(next)}`}`
}

/** Makes the response of a page. No cache keeps it. */
export function respondPage(
  { status = 200, headers = {}, ...page }: FramedPage & {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
  },
): Response {
  return respondHtml(pageText(page), { status, headers })
}

/** Makes the response of a text that is HTML. No cache keeps it. */
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
      // Without it, some browsers send `Origin: null` with a form.
      "referrer-policy": "same-origin",
      ...headers,
    },
  })
}

/** Sends the browser to another page, after a form or to log in. */
export function redirectTo(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { location: path, "cache-control": "no-store", ...headers },
  })
}

/** Returns a page as a whole document. */
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

/** Lists the headings of a page: at the right on wide screens, else folded above the text. */
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

/** The search and the navigation. On small screens a button opens the navigation, without scripts. */
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
