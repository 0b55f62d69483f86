import { deepStrictEqual } from "node:assert/strict"
import type { Case } from "./cases.ts"
import type { BenchData } from "./data.ts"
import { linkOf } from "../support/polling/link.ts"
import type { BenchServer, ServerName } from "./servers.ts"
import type { Cookies } from "./sessions.ts"

/** All that is running. */
export interface Field {
  readonly data: BenchData
  readonly cookies: Readonly<Record<Case["shape"], Cookies>>
  /** Of other sessions of the account that sees records in full, for connections in turn. */
  readonly apart: readonly Cookies[]
  server(name: ServerName): Promise<BenchServer>
}

/** What one server is sent in one case. */
export interface Requests {
  readonly url: string
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Of the connections, in turn; where they are missing, all have that of `headers`. */
  readonly cookies?: readonly string[]
  /** That of every answer. */
  readonly status: 200 | 304
}

/** The requests of a case to a server, each kind of which has been answered once. */
export async function requestsTo(name: ServerName, each: Case, field: Field): Promise<Requests> {
  const { url } = await field.server(name)
  const headers = headersFor(name, each, field)
  const rival = name === "peer" || name === "floor"
  const paths = Array.from({ length: each.variants }, (_, n) => pathOf(each, n, field.data))
    .map((path) => rival && each.keysFirst ? `${path}&keysFirst=true` : path)
  if (each.byCursor && !rival) {
    return { url, paths: await pathsByCursor(paths, { url, headers }), headers, status: 200 }
  }
  if (each.apart && name !== "floor") {
    const cookies = field.apart.map((one) => name === "peer" ? one.peer : one.ours)
    return { url, paths, headers, cookies, status: 200 }
  }
  if (!each.conditional) return { url, paths, headers, status: 200 }
  const etag = (await get({ url, headers }, paths[0] ?? "")).headers.get("etag")
  if (etag === null) return { url, paths, headers, status: 200 }
  return { url, paths, headers: { ...headers, "if-none-match": etag }, status: 304 }
}

/** @throws {Error} unless all servers answer the same records in a case. */
export async function compareAnswers(names: readonly ServerName[], each: Case, field: Field) {
  const answers = await Promise.all(names.map(async (name) => {
    const { url, paths, headers } = await requestsTo(name, { ...each, variants: 1 }, field)
    const { "if-none-match": _, ...plain } = headers
    return await (await get({ url, headers: plain }, paths[0] ?? "")).json()
  }))
  for (const [index, answer] of answers.entries()) {
    deepStrictEqual(answer, answers[0], `${each.name}: ${names[0]} and ${names[index]} differ`)
  }
  const full = JSON.stringify(answers[0]).includes('"id"')
  if (full === (each.name.startsWith("empty-poll"))) {
    throw new Error(`${each.name}: the answer has ${full ? "records" : "no records"}.`)
  }
}

/** Asks once. @throws {Error} where the answer is not 200. */
export async function get(
  { url, headers }: Pick<Requests, "url" | "headers">,
  path: string,
): Promise<Response> {
  // As the load is generated: uncompressed, which has an entity tag of its own.
  const response = await fetch(url + path, {
    headers: { ...headers, "accept-encoding": "identity" },
  })
  if (response.status === 200) return response
  throw new Error(`${url}${path} answered ${response.status}: ${await response.text()}`)
}

/** The headers that let a request of the case in. */
export function headersFor(
  name: ServerName,
  { shape }: Pick<Case, "shape">,
  { cookies }: Field,
): Record<string, string> {
  if (name === "floor") return {}
  return { cookie: name === "peer" ? cookies[shape].peer : cookies[shape].ours }
}

function pathOf(each: Case, n: number, data: BenchData): string {
  const family = each.shape === "full" ? "acme" : "connector-b"
  return `/${family}/v1/events/${data[each.event]}/${each.list}?${each.query(n, data)}`
}

/** The cursor that leads to an offset is in the answer of the page before. */
async function pathsByCursor(
  paths: readonly string[],
  to: Pick<Requests, "url" | "headers">,
): Promise<string[]> {
  const found = []
  for (const path of paths) {
    const asked = new URL(path, to.url)
    const { searchParams } = asked
    const before = Number(searchParams.get("offset")) - Number(searchParams.get("limit"))
    searchParams.set("offset", String(before))
    const link = linkOf(await get(to, asked.pathname + asked.search))
    if (!link) throw new Error(`${asked.pathname} has no next page at offset ${before}.`)
    found.push(link)
  }
  return found
}
