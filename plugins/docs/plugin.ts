import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  respondFile,
  signedIn,
} from "../../core/plugin.ts"
import { type Site, siteAt } from "./site.ts"
import { viewer } from "./viewer.ts"

/** Permits only this service's own scripts, styles and requests, and nothing inline. */
const strict = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
  "form-action": "'self'",
}

/** Permits inline styles: the viewer writes them, and supports a nonce for only some. */
const withInlineStyles = { ...strict, "style-src": "'self' 'unsafe-inline'" }

const pageHeaders = ["Cache-Control", "Vary", "ETag"]
const noSuchFile = "There is no such file. The guide is at /docs."

/** The guide for partners, and the reference with everything that an account may call. */
export default definePlugin({
  apiVersion: 2,
  name: "docs",
  summary: "The guide and the reference for partners, as web pages",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "/docs",
    routes: [
      handler("GET", "", {
        auth: anyone,
        handle: showGuide,
        describe: {
          summary: "Guide",
          description: "How to poll, in plain words, as a web page.",
          answers: { 200: "text/html", 304: null },
          headers: pageHeaders,
        },
      }),
      handler("GET", "/reference", {
        auth: anyone,
        handle: showReference,
        describe: {
          summary: "Reference",
          description: "The page that shows this document.",
          answers: { 200: "text/html", 304: null },
          headers: pageHeaders,
        },
      }),
      handler("GET", "/viewer.js", {
        auth: signedIn,
        handle: sendViewer,
        describe: {
          summary: "Script of the reference",
          description: "The viewer that the page at `/docs/reference` loads.",
          answers: { 200: "text/javascript", 304: null },
          headers: pageHeaders,
        },
      }),
      handler("GET", "/:file", {
        auth: anyone,
        handle: sendFile,
        describe: {
          summary: "File of the guide",
          description:
            "Its programs `poll.sh`, `poll.mts` and `poll.py`, and the files that the pages load.",
          parameters: { file: "The name of a file." },
          answers: { 200: "text/*", 304: null },
          headers: pageHeaders,
          problems: { not_found: noSuchFile },
        },
      }),
    ],
  }),
})

async function showGuide({ request }: HandlerContext): Promise<Response> {
  const { guide } = await siteOf(request)
  return respondFile(request, guide, { "content-security-policy": policy(strict) })
}

async function showReference({ request }: HandlerContext): Promise<Response> {
  const { reference } = await siteOf(request)
  return respondFile(request, reference, { "content-security-policy": policy(withInlineStyles) })
}

async function sendViewer({ request }: HandlerContext): Promise<Response> {
  return respondFile(request, await viewer(), {
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Authorization, Cookie",
  })
}

/** Sends one of the loaded files. The name in the path is never looked up on disk. */
async function sendFile({ request, params }: HandlerContext): Promise<Response> {
  const { files } = await siteOf(request)
  const file = files.get(params["file"] ?? "")
  if (!file) throw new Problem("not_found", noSuchFile)
  return respondFile(request, file)
}

/** Returns the site with the service's public URL in its examples. */
function siteOf(request: Request): Promise<Site> {
  return siteAt(new URL(request.url).origin)
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives).map(([name, value]) => `${name} ${value}`).join("; ")
}
