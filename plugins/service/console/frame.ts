import { Buffer } from "node:buffer"
import { formatMoment } from "../../../core/capability.ts"
import type { Entry } from "./addition.ts"
import { type Content, type Html, html } from "./html.ts"
import { changedParts, tagParts } from "./live-parts.ts"

/** Permits only this service's own scripts, styles and requests, and nothing inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ")

/** Who is logged in, and the token of their forms. */
interface Reader {
  readonly username: string
  readonly token: string
}

/** A page of the console. */
export interface Page {
  readonly title: string
  readonly main: Content
  /** The navigation, for who is logged in. */
  readonly entries?: readonly Entry[]
  /** The path of the entry that is marked. */
  readonly entry?: string
  /** Absent on pages for everyone. */
  readonly reader?: Reader | undefined
  /** The text that is searched for. */
  readonly search?: string
  /** The time that the page is from, in Unix seconds. */
  readonly asOf?: number
  /** Seconds after which a script asks for what has changed; by default never. */
  readonly refresh?: number
  readonly status?: number
  /** True if scripts help without a reader, too: never where somebody enters a password. */
  readonly scripts?: true
  /** Sends the browser on at once, as if a link of this page had been followed. */
  readonly forwardTo?: string
}

/** Makes the response of a page. No cache keeps it. */
export function respondPage(page: Page): Response {
  const text = String(frame(page))
  return respondText(`<!doctype html>\n${page.refresh ? tagParts(text) : text}`, page.status)
}

/** Sends the live parts of a page that a browser does not have yet. */
export function respondParts(main: Content, known: string): Response {
  return respondText(`<!doctype html>\n${changedParts(String(html`${main}`), known)}`)
}

function respondText(text: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(text)),
      "content-security-policy": policy,
      "cache-control": "no-store",
      // Without it, some browsers send `Origin: null` with a form.
      "referrer-policy": "same-origin",
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

const icon = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#3f4fcf"/>` +
    `<path d="M8 16 16 8M9 8h7v7" fill="none" stroke="#fff" stroke-width="2.5"/></svg>`,
)

function frame(page: Page): Html {
  const { title, main, reader, refresh, forwardTo } = page
  return html`
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${forwardTo && html`<meta http-equiv="refresh" content="0; url=${forwardTo}">`}
    <title>${title} – event-export</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="/console/files/uplot.css">
    <link rel="stylesheet" href="/console/files/console.css">
    ${(reader ?? page.scripts) && html`
      <script type="module" src="/console/files/console.js"></script>
    `}
      </head>
      <body${refresh && html`
        data-refresh="${refresh}"
      `}${!reader && html`
        class="plain"
      `}>
    <a class="skip" href="#main">Skip to the content</a>
    ${reader ? sideOf(page, reader) : html`<header>${brand}</header>`}
    ${refresh && html`<p class="live" id="live" role="status"></p>`}
    <main id="main" tabindex="-1">
    <div class="head">
    <h1>${title}</h1>
    ${refresh &&
      html`<p id="updated">As of ${formatMoment(page.asOf ?? null).slice(11, 19)} UTC</p>`}
    </div>
    ${main}
    </main>
    </body>
    </html>
  `
}

const brand = html`
  <a class="brand" href="/console"><span class="mark" aria-hidden="true">↗</span>
  <span>event-export</span></a>
`

/** The search and the navigation. On small screens a button opens the navigation, without scripts. */
function sideOf({ entries = [], entry, search = "" }: Page, reader: Reader): Html {
  return html`
    <header class="top">
    ${brand}
    <form class="search" role="search" action="/console/search">
      <input type="search" id="search" name="q" value="${search}" maxlength="200" required
        aria-label="Search partners, events, request ids" placeholder="Search" autocapitalize="none"
        autocomplete="off"><kbd aria-hidden="true">/</kbd>
    </form>
    <button class="menu" type="button" popovertarget="pages">Menu</button>
    <div class="pages" id="pages" popover>
    <nav aria-label="Pages">
      <ul>
    ${entries.map(({ path, name }) =>
      html`
        <li><a href="${path}"${path === entry && html`
          aria-current="page"
        `}>${name}</a></li>
      `
    )}</ul>
    </nav>
    <form class="account" method="post" action="/console/log-out">
      <input type="hidden" name="token" value="${reader.token}">
      <span title="${reader.username}">${reader.username}</span>
      <button>Log out</button>
    </form>
    </div>
    </header>
  `
}
