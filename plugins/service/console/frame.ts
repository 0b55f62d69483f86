import { Buffer } from "node:buffer"
import type { Entry } from "./addition.ts"
import { type Content, type Html, html } from "./html.ts"

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

/** A page of the console. */
export interface Page {
  readonly title: string
  readonly main: Content
  /** The navigation, for who is logged in. */
  readonly entries?: readonly Entry[]
  /** The path of the entry that is marked. */
  readonly entry?: string
  /** Who is logged in, and the token of their forms; absent on pages for everyone. */
  readonly reader?: { readonly username: string; readonly token: string } | undefined
  /** Seconds after which a script fetches the page again; by default never. */
  readonly refresh?: number
  readonly status?: number
  /** Sends the browser on at once, as if a link of this page had been followed. */
  readonly forwardTo?: string
}

/** Makes the response of a page. No cache keeps it. */
export function respondPage(page: Page): Response {
  const text = `<!doctype html>\n${frame(page)}`
  return new Response(text, {
    status: page.status ?? 200,
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

function frame({ title, main, entries = [], entry, reader, refresh, forwardTo }: Page): Html {
  return html`
    <html lang="en">
      <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    ${forwardTo && html`<meta http-equiv="refresh" content="0; url=${forwardTo}">`}
    <title>${title} – event-export</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/console/files/uplot.css">
    <link rel="stylesheet" href="/console/files/console.css">
    ${reader && html`<script type="module" src="/console/files/console.js"></script>`}
      </head>
      <body${refresh && html`
        data-refresh="${refresh}"
      `}>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
    <p class="brand">event-export <span>console</span></p>
    ${reader && navigation(entries, entry)}
    ${reader && html`
      <form class="account" method="post" action="/console/log-out">
        <input type="hidden" name="token" value="${reader.token}">
        <span>${reader.username}</span>
        <button>Log out</button>
      </form>
    `}
    </header>
    <main id="main" tabindex="-1">
    <h1>${title}</h1>
    ${main}
    </main>
    ${refresh && html`<p class="live" id="live" role="status"></p>`}
    </body>
    </html>
  `
}

function navigation(entries: readonly Entry[], current: Page["entry"]): Html {
  return html`
    <nav aria-label="Pages">
      <ul>
    ${entries.map(({ path, name }) =>
      html`
        <li><a href="${path}"${path === current && html`
          aria-current="page"
        `}>${name}</a></li>
      `
    )}</ul>
    </nav>
  `
}
