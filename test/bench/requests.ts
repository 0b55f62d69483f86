import { setTimeout } from "node:timers/promises"
import { deepStrictEqual } from "node:assert/strict"
import type { Case } from "./cases.ts"
import type { BenchData } from "./data.ts"
import { atChange } from "./load.ts"
import { nextIn } from "./page-reader.ts"
import type { BenchServer, ServerName } from "./servers.ts"
import type { Cookies } from "./sessions.ts"
import { changesPerSecond, type Writer } from "./writer.ts"

/** The servers to measure, with their data and sessions. */
export interface Field {
  readonly data: BenchData
  readonly cookies: Readonly<Record<Case["shape"], Cookies>>
  /** More sessions of the account that sees full records. */
  readonly apart: readonly Cookies[]
  /** Starts a server on first use. */
  server(name: ServerName): Promise<BenchServer>
  /** Starts another one, which the caller stops. */
  start(name: ServerName): Promise<BenchServer>
  /** Opens the writer on first use. */
  writer(): Promise<Writer>
}

/** The requests that a case sends to a server. */
export interface Requests {
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** The cookies of the requests, in turn; if undefined, all use that of `headers`. */
  readonly cookies?: readonly string[]
  /** The expected status of all responses. */
  readonly status: 200 | 304
}

/** Returns the requests of a case to a server. Sends those that bring a cursor or an entity tag. */
export async function requestsTo(name: ServerName, each: Case, field: Field): Promise<Requests> {
  const { url } = await field.server(name)
  const headers = headersFor(name, each, field)
  const rival = name === "peer" || name === "floor"
  const paths = Array.from({ length: each.variants }, (_, n) => pathOf(name, each, n, field.data))
  if (each.byCursor && !rival) {
    return { url, paths: await pathsByCursor(paths, { url, headers }), headers, status: 200 }
  }
  if (each.apart && name !== "floor") {
    const cookies = field.apart.map((one) => name === "peer" ? one.peer : one.ours)
    return { url, paths, headers, cookies, status: 200 }
  }
  if (!each.conditional) return { url, paths, headers, status: 200 }
  const tag = async () => (await get({ url, headers }, paths[0] ?? "")).headers.get("etag")
  let etag = await tag()
  // The first request begins to fold the log of the many changes that filled the event.
  for (let times = 0; etag === null && times < 50; times++) {
    await setTimeout(100)
    etag = await tag()
  }
  if (etag === null) return { url, paths, headers, status: 200 }
  return { url, paths, headers: { ...headers, "if-none-match": etag }, status: 304 }
}

/** Commits as many changes as there are after hours of them, if a case is about the latest ones. */
export async function makeDeltas({ event, deltas = 0 }: Case, field: Field): Promise<void> {
  for (let count = 0; count < deltas; count++) await (await field.writer()).commit(event)
}

/** Compares the servers' records. @throws {Error} unless all return the same ones in a case. */
export async function compareRecords(names: readonly ServerName[], each: Case, field: Field) {
  const { deltas = 0 } = each
  const newest = deltas > 0 ? (await field.writer()).nextUpdated - 1 : NaN
  const bodies = await Promise.all(names.map(async (name) => {
    const { url, paths, headers } = await requestsTo(
      name,
      { ...each, variants: deltas || 1 },
      field,
    )
    const { "if-none-match": _, ...plain } = headers
    const pages: object[] = []
    for (const path of paths) {
      const first = await get({ url, headers: plain }, atChange(path, newest))
      pages.push(await first.json())
      if (!each.walks) continue
      const next = nextIn(first.headers.get("link") ?? "") ?? ""
      pages.push(await (await get({ url, headers: plain }, next)).json())
    }
    return pages
  }))
  for (const [index, body] of bodies.entries()) {
    deepStrictEqual(body, bodies[0], `${each.name}: ${names[0]} and ${names[index]} differ`)
  }
  const full = JSON.stringify(bodies[0]).includes('"id"')
  if (full === (each.name.startsWith("empty-poll"))) {
    throw new Error(`${each.name}: the response has ${full ? "records" : "no records"}.`)
  }
  const wrong = deltas > 0 &&
    bodies[0]?.some((page, n) => Object.keys(page).length !== (n + 1) * changesPerSecond)
  if (wrong) {
    throw new Error(`${each.name}: the responses have other records than the latest changes.`)
  }
}

/** Sends one request. @throws {Error} if the status is not 200. */
export async function get(
  { url, headers }: Pick<Requests, "url" | "headers">,
  path: string,
): Promise<Response> {
  // Uncompressed like the load: each encoding has its own entity tag.
  const response = await fetch(url + path, {
    headers: { ...headers, "accept-encoding": "identity" },
  })
  if (response.status === 200) return response
  throw new Error(`${url}${path} returned ${response.status}: ${await response.text()}`)
}

/** Returns the headers that authenticate a request of the case. */
export function headersFor(
  name: ServerName,
  { shape }: Pick<Case, "shape">,
  { cookies }: Field,
): Record<string, string> {
  if (name === "floor") return {}
  return { cookie: name === "peer" ? cookies[shape].peer : cookies[shape].ours }
}

function pathOf(name: ServerName, each: Case, n: number, data: BenchData): string {
  const full = name.startsWith("filtered") ? "filtered" : "acme"
  const family = each.shape === "full" ? full : "connector-b"
  return `/${family}/v1/events/${data[each.event]}/${each.list}?${each.query(n, data)}`
}

/** Replaces offsets by cursors, which it takes from the response of each previous page. */
async function pathsByCursor(
  paths: readonly string[],
  to: Pick<Requests, "url" | "headers">,
): Promise<string[]> {
  const found = []
  for (const path of paths) {
    const { pathname, searchParams } = new URL(path, to.url)
    const before = Number(searchParams.get("offset")) - Number(searchParams.get("limit"))
    searchParams.set("offset", String(before))
    const response = await get(to, `${pathname}?${searchParams}`)
    const link = nextIn(response.headers.get("link") ?? "")
    if (!link) throw new Error(`${pathname} has no next page at offset ${before}.`)
    found.push(link)
  }
  return found
}
