import t from "tap"
import { problems } from "../../core/http/problems.ts"
import { freshApp } from "../support/app.ts"
import { anchorsOf } from "../support/documents.ts"

/** A response to which links lead, with what they may point at. */
interface Target {
  readonly status: number
  readonly ids: readonly string[]
  /** The links of a page; those of other files are not followed. */
  readonly links: readonly string[]
  /** Attributes that name an id of the same page. */
  readonly references: readonly string[]
}

const origin = "http://localhost"
const app = await freshApp(t, "sqlite")
const { build, request } = app
const event = await build.event(await build.organization("acme"))
await build.guests(event, 3)
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })
await build.account("operator", "operator")
const partner = await app.logIn("acme-export")
await partner(`/acme/v1/events/${event}/guests`)
await partner(`/acme/v1/events/${event}/guests?limit=0`)

const explanations = Object.keys(problems).map((code) => `/problems/${code}`)

const readers = [
  {
    name: "a stranger",
    send: request,
    starts: ["/", "/docs", "/llms.txt", "/docs/log-in", ...explanations],
    least: 30,
  },
  { name: "a partner", send: partner, starts: ["/docs", "/docs/guide.md", "/docs/me"], least: 30 },
  {
    name: "an operator",
    send: await app.logIn("operator"),
    starts: ["/docs", "/console"],
    least: 80,
  },
]

for (const { name, send, starts, least } of readers) {
  const isStranger = send === request
  await t.test(`${name} finds no link that leads nowhere, and no id twice`, async (t) => {
    const targets = new Map<string, Target>()
    const waiting = [...starts]
    for (const path of waiting) {
      if (targets.has(keyOf(path))) continue
      const target = await follow(send, path)
      targets.set(keyOf(path), target)
      waiting.push(...target.links)
    }
    t.ok(targets.size > least, `${targets.size} targets`)
    for (const [path, { status, ids, links, references }] of targets) {
      // The OpenAPI document has the paths of its reader, and the pages say so.
      t.equal(status, path === "/openapi.json?" && isStranger ? 401 : 200, path)
      t.strictSame(ids.filter((id, at) => ids.indexOf(id) !== at), [], `${path} has each id once`)
      t.strictSame(
        references.filter((id) => !ids.includes(id)),
        [],
        `${path} has what it refers to`,
      )
      const broken = links.filter((link) => {
        const { hash } = new URL(link, origin)
        return hash !== "" &&
          !targets.get(keyOf(link))?.ids.includes(decodeURIComponent(hash.slice(1)))
      })
      t.strictSame(broken, [], `${path} has no link to a place that is not there`)
    }
  })
}

/** Fetches a path as a browser does. Where a log-in is needed, the page for it is what the link leads to. */
async function follow(send: typeof request, path: string): Promise<Target> {
  const response = await send(path.replace(/#.*/, ""), {
    headers: { accept: "text/html" },
    redirect: "manual",
  })
  const location = response.headers.get("location")
  if (location !== null) {
    const [next = "/"] = linksIn([location], path)
    const target = await follow(send, next)
    return { ...target, links: [...target.links, next] }
  }
  const text = await response.text()
  const type = response.headers.get("content-type") ?? ""
  const { status } = response
  if (type.startsWith("text/html")) {
    const ids = valuesOf(text, "id")
    const references = valuesOf(
      text,
      "for|aria-(?:labelledby|describedby|controls)|popovertarget|list",
    )
      .flatMap((ids) => ids.split(" "))
    return { status, ids, references, links: linksIn(valuesOf(text, "href|src"), path) }
  }
  const isMarkdown = type.startsWith("text/markdown") || path === "/llms.txt"
  const links = isMarkdown
    ? [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link)
    : []
  return { status, ids: [...anchorsOf(text)], references: [], links: linksIn(links, path) }
}

function valuesOf(text: string, names: string): string[] {
  return [...text.matchAll(new RegExp(`\\s(?:${names})="([^"]*)"`, "g"))]
    .map(([, value = ""]) => value.replaceAll("&amp;", "&"))
}

/** Returns the links to this service, as paths. */
function linksIn(links: readonly string[], path: string): string[] {
  return links.map((link) => resolve(link, path)).filter((link) => link !== undefined)
}

function resolve(link: string, path: string): string | undefined {
  const url = new URL(link, origin + path)
  return url.origin === origin ? url.pathname + url.search + url.hash : undefined
}

/** Pages that differ only in the values of their parameters are read once. */
function keyOf(path: string): string {
  const { pathname, searchParams } = new URL(path, origin)
  return `${pathname}?${[...new Set(searchParams.keys())].sort().join("&")}`
}
