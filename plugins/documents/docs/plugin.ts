import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  type ProblemCode,
  problems,
  respondFile,
  respondJson,
  type Route,
  signedIn,
  wantsPage,
} from "../../../core/plugin.ts"
import { readerOf } from "./reader.ts"
import { securityText } from "./security-text.ts"
import { assetOf, pageFor, type PageName, referencePage } from "./site.ts"
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
const noSuchProblem = "There is no problem of this name. The guide lists all errors: /docs#errors."

/** What depends on its reader, so no cache may give it to another. */
const ofReader = {
  "cache-control": "private, no-cache",
  vary: "Accept-Encoding, Authorization, Cookie",
}

/** Where people and programs read on. */
const links = '</docs>; rel="service-doc"; type="text/html", ' +
  '</openapi.json>; rel="service-desc"; type="application/json"'

const start = v.strictObject({
  guide: v.string(),
  markdown: v.string(),
  openapi: v.string(),
  session: v.string(),
})

const explanation = v.strictObject({
  code: v.string(),
  status: v.pipe(v.number(), v.integer()),
  title: v.string(),
  guide: v.pipe(v.string(), v.description("Where the guide explains it: a path of this service.")),
})

/** The guide for partners, and the reference with everything that an account may call. */
export default definePlugin({
  apiVersion: 2,
  name: "docs",
  summary: "The guide and the reference for partners, as web pages",
  settings: v.strictObject({}),
  mount: () => [
    {
      prefix: "",
      routes: [
        handler("GET", "/", {
          auth: anyone,
          handle: showStart,
          describe: {
            summary: "Start",
            description: "Leads browsers to the guide, and names its places to programs.",
            answers: { 200: start, 303: null },
            headers: ["Cache-Control", "Vary", "Link"],
          },
        }),
        personal("/llms.txt", "llms", {
          type: "text/plain",
          summary: "Guide for language models",
          description: "What the service is, and where its documents are, as Markdown.",
        }),
        securityText,
        handler("GET", "/problems/:code", {
          auth: anyone,
          handle: showProblem,
          describe: {
            summary: "Explanation of an error",
            description:
              "Explains the `type` of an error. Leads browsers to its place in the guide, which other clients " +
              "find in `guide`.",
            parameters: { code: "The `code` of an error, such as `event_not_found`." },
            answers: { 200: explanation, 303: null },
            headers: ["Cache-Control", "Vary"],
            problems: { not_found: noSuchProblem },
          },
        }),
      ],
    },
    {
      prefix: "/docs",
      routes: [
        personal("", "guide", {
          type: "text/html",
          summary: "Guide",
          description: "How to poll, as a web page, with the names of the caller's account.",
        }),
        personal("/changes", "changes", {
          type: "text/html",
          summary: "Changes",
          description: "What has changed for partners, as a web page.",
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
        download("guide.md", "markdown", "text/markdown", "The guide as Markdown."),
        download("feed.sh", "feed.sh", "text/plain", "The guide's program for a shell."),
        download("feed.py", "feed.py", "text/plain", "The guide's program in Python."),
        handler("GET", "/:file", {
          auth: anyone,
          handle: sendAsset,
          describe: {
            summary: "File of the guide",
            description: "The files that the pages load.",
            parameters: { file: "The name of a file." },
            answers: { 200: "text/*", 304: null },
            headers: pageHeaders,
            problems: { not_found: noSuchFile },
          },
        }),
      ],
    },
  ],
})

/** Declares a page or a file that has the names of its reader. */
function personal(
  path: string,
  page: PageName,
  { type, ...words }: { type: string; summary: string; description: string },
): Route {
  return handler("GET", path, {
    auth: anyone,
    needs: ["catalogue"],
    handle: (context) => sendPage(page, context),
    describe: { ...words, answers: { 200: type, 304: null }, headers: pageHeaders },
  })
}

function download(file: string, page: PageName, type: string, summary: string): Route {
  return personal(`/${file}`, page, {
    type,
    summary: summary.slice(0, -1),
    description: `${summary} It has the names of the caller's account, if there is a session.`,
  })
}

function showStart({ request }: HandlerContext): Response {
  const places = {
    guide: "/docs",
    markdown: "/docs/guide.md",
    openapi: "/openapi.json",
    session: "/session",
  } satisfies v.InferOutput<typeof start>
  return lead(request, places, { link: links })
}

function showProblem({ request, params }: HandlerContext): Response {
  const code = params["code"] ?? ""
  if (!Object.hasOwn(problems, code)) throw new Problem("not_found", noSuchProblem)
  const { status, title } = problems[code as ProblemCode]
  return lead(request, { code, status, title, guide: `/docs#error-${code}` })
}

/** Redirects browsers to the place in the guide; other clients get the places as JSON. */
function lead(
  request: Request,
  places: { readonly guide: string } & Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = { "cache-control": "no-cache", vary: "Accept", ...more }
  if (!wantsPage(request)) return respondJson(places, { headers })
  return new Response(null, { status: 303, headers: { ...headers, location: places.guide } })
}

/** Sends a page that has the names of its reader. */
async function sendPage(
  name: PageName,
  { request, host }: HandlerContext<"catalogue">,
): Promise<Response> {
  const chosen = new URL(request.url).searchParams.get("event")
  const reader = readerOf(await host.catalogue(), chosen)
  return respondFile(request, await pageFor(name, reader), {
    ...ofReader,
    "content-security-policy": policy(strict),
  })
}

async function showReference({ request }: HandlerContext): Promise<Response> {
  const headers = { "content-security-policy": policy(withInlineStyles) }
  return respondFile(request, await referencePage(), headers)
}

async function sendViewer({ request }: HandlerContext): Promise<Response> {
  return respondFile(request, await viewer(), ofReader)
}

async function sendAsset({ request, params }: HandlerContext): Promise<Response> {
  const file = await assetOf(params["file"] ?? "")
  if (!file) throw new Problem("not_found", noSuchFile)
  return respondFile(request, file)
}

function policy(directives: Readonly<Record<string, string>>): string {
  return Object.entries(directives).map(([name, value]) => `${name} ${value}`).join("; ")
}
