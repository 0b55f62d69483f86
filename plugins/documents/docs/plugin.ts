import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  type HandlerRoute,
  type Mount,
  Problem,
  type ProblemCode,
  problems,
  respondJson,
  signedIn,
} from "../../../core/plugin.ts"
import {
  type Files,
  html,
  logInRoutes,
  noSuchFile,
  pagePolicy,
  respondFile,
  respondPage,
  sendFile,
  wantsPage,
} from "../../design/design.ts"
import { downloads } from "./examples.ts"
import { favicon } from "./favicon.ts"
import { aboutLogIn, area, type OfferedRoutes, refuse } from "./pages.ts"
import { choiceOf, rememberChoice } from "./remembered-choice.ts"
import { securityText } from "./security-text.ts"
import { type DocsVisit, fileFor, find, frameOf, referencePage, searchPage } from "./site.ts"
import { viewer } from "./viewer.ts"

const pageHeaders = ["Cache-Control", "Vary", "ETag"]
const noSuchPage = "There is no such page. The documents begin at /docs."
const noSuchProblem =
  "There is no problem with this name. The documents list all errors: /docs/errors."

/** The headers of responses that depend on the reader: no cache may serve them to another. */
const ofReader = {
  "cache-control": "private, no-cache",
  vary: "Accept, Accept-Encoding, Authorization, Cookie",
}

/** Tells people and programs where the documents are. */
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
  guide: v.pipe(v.string(), v.description("The path of this service where the guide explains it.")),
})

/** The files that only these pages load, with their types. */
const files: Files = new Map([
  ["docs.js", [new URL("assets/docs.js", import.meta.url), "text/javascript"]],
  ["reference.js", [new URL("assets/reference.js", import.meta.url), "text/javascript"]],
  ["reference.css", [new URL("assets/reference.css", import.meta.url), "text/css"]],
  ["cycle.svg", [new URL("cycle.svg", import.meta.url), "image/svg+xml"]],
])

/** The documents for partners, and the reference of all operations that an account may call. */
export default definePlugin({
  apiVersion: 3,
  name: "docs",
  summary: "The guide and the reference for partners, as web pages",
  settings: v.strictObject({
    public: v.optional(v.boolean(), true),
  }),
  // Capabilities add the names of their routes on which pages depend.
  mount: (own, offers = []) => mountsOf({ ...own, offers: new Set(offers as readonly string[]) }),
})

function mountsOf(settings: Settings): Mount[] {
  return [
    {
      prefix: "",
      routes: [
        handler("GET", "/", {
          auth: anyone,
          handle: showStart,
          describe: {
            summary: "Start",
            description: "Redirects browsers to the guide, and gives programs its addresses.",
            answers: { 200: start, 303: null },
            headers: ["Cache-Control", "Vary", "Link"],
          },
        }),
        text("/llms.txt", settings, {
          type: "text/plain",
          summary: "Guide for language models",
          description: "Describes the service and lists its documents, as Markdown.",
        }),
        securityText,
        favicon,
        handler("GET", "/problems/:code", {
          auth: anyone,
          handle: showProblem,
          describe: {
            summary: "Explanation of an error",
            description:
              "Explains the `type` of an error. Redirects browsers to its place in the guide; other " +
              "clients find that place in `guide`.",
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
        page("", settings, ({ visit, request }) => sendText("", visit, request)),
        page("/:page", settings, ({ visit, request, params }) => (
          sendText(params["page"] ?? "", visit, request)
        )),
        page("/search", settings, ({ visit, request }) => showSearch(visit, request)),
        page("/reference", { ...settings, public: false }, ({ visit }) => (
          respondPage({
            ...referencePage(visit),
            headers: {
              // The viewer writes inline styles, and supports a nonce for only some.
              "content-security-policy": pagePolicy({ "style-src": "'self' 'unsafe-inline'" }),
            },
          })
        )),
        handler("GET", "/", { auth: anyone, handle: leadToStart, refused: refuse }),
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
        handler("GET", "/files/:file", {
          auth: anyone,
          handle: (context) => sendFile(context, files),
          describe: {
            summary: "File of the pages",
            description: "The files that the pages load.",
            parameters: { file: "The name of a file." },
            answers: { 200: "text/*", 304: null },
            headers: pageHeaders,
            problems: { not_found: noSuchFile },
          },
        }),
        text(
          "/guide.md",
          settings,
          download("text/markdown", "All pages of the guide as Markdown."),
        ),
        ...Object.entries(downloads).map(([name, about]) =>
          text(`/${name}`, settings, download("text/plain", about))
        ),
        ...logInRoutes({ area, about: aboutLogIn, left: "/docs", refused: refuse }),
      ],
    },
  ]
}

interface Settings {
  /** True if anyone may read the documents without logging in. */
  readonly public: boolean
  readonly offers: OfferedRoutes
}

type Context = HandlerContext<"catalogue">

/** Declares a page for people. */
function page(
  path: string,
  { public: isPublic, offers }: Settings,
  show: (context: Context & { readonly visit: DocsVisit }) => Response | Promise<Response>,
): HandlerRoute {
  return handler("GET", path, {
    auth: isPublic ? anyone : signedIn,
    needs: ["catalogue"],
    handle: async (context) => await show({ ...context, visit: await readVisit(context, offers) }),
    refused: refuse,
  })
}

/** Declares a text for programs, with the reader's names. */
function text(
  path: string,
  { public: isPublic, offers }: Settings,
  { type, ...words }: { type: string; summary: string; description: string },
): HandlerRoute {
  return handler("GET", path, {
    auth: isPublic ? anyone : signedIn,
    needs: ["catalogue"],
    handle: async (context) => (
      await sendText(
        path.slice(path.lastIndexOf("/") + 1),
        await readVisit(context, offers),
        context.request,
      )
    ),
    describe: { ...words, answers: { 200: type, 304: null }, headers: pageHeaders },
    ...!isPublic && { refused: refuse },
  })
}

function download(type: string, summary: string) {
  const description = `${summary} It has the names of the caller's account, if there is a session.`
  return { type, summary: summary.slice(0, -1), description }
}

async function readVisit(
  { request, session, host }: Context,
  offers: OfferedRoutes,
): Promise<DocsVisit> {
  return { catalogue: await host.catalogue(), session, offers, chosen: choiceOf(request) }
}

function leadToStart(): Response {
  return new Response(null, { status: 308, headers: { location: "/docs" } })
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
  return lead(request, { code, status, title, guide: `/docs/errors#error-${code}` })
}

/** Declares a redirect of browsers to a place in the guide. Other clients get the places as JSON. */
function lead(
  request: Request,
  places: { readonly guide: string } & Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, string>> = {},
): Response {
  const headers = { "cache-control": "no-cache", vary: "Accept", ...more }
  if (!wantsPage(request)) return respondJson(places, { headers })
  return new Response(null, { status: 303, headers: { ...headers, location: places.guide } })
}

/** Sends a page or a text with the reader's names. */
async function sendText(name: string, visit: DocsVisit, request: Request): Promise<Response> {
  const file = await fileFor(name, visit)
  if (!file && wantsPage(request)) {
    return respondPage({
      ...frameOf(visit),
      title: "There is no such page",
      status: 404,
      main: html`<p>Use the search, or begin at the <a href="/docs">start</a>.</p>`,
    })
  }
  if (!file) throw new Problem("not_found", noSuchPage)
  return respondFile(request, file, {
    ...ofReader,
    "content-security-policy": pagePolicy(),
    "referrer-policy": "same-origin",
    ...rememberChoice(request),
  })
}

/** Shows the hits of a search, or sends them as JSON to the script that searches while the reader types. */
async function showSearch(visit: DocsVisit, request: Request): Promise<Response> {
  const text = new URL(request.url).searchParams.get("q")?.trim().slice(0, 200) ?? ""
  const hits = await find(text, visit)
  if (wantsPage(request)) return respondPage(searchPage(text, hits, visit))
  return respondJson({ hits: hits.slice(0, 20) }, { headers: ofReader })
}

async function sendViewer({ request }: HandlerContext): Promise<Response> {
  return respondFile(request, await viewer(), ofReader)
}
