import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text as textOf } from "node:stream/consumers"
import { sql } from "kysely"
import { freeFailures } from "../../../core/access/log-in.ts"
import { longestUrl, type ProblemCode } from "../../../core/http/problems.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import type { TextResponse } from "./api-document.ts"
import { goodRequest, grantForm, send, type TestRequest } from "./requests.ts"
import type { Stage } from "./stage.ts"

/** Makes a route return an error that takes several requests, or a malformed one. */
export type Provoke = (route: MountedRoute) => Promise<TextResponse>

/** Errors of overload, of the service itself, and of requests that no `fetch` sends. */
export const rareCodes = [
  "malformed_request",
  "misdirected_request",
  "url_too_long",
  "headers_too_large",
  "too_fast",
  "too_many_requests",
  "too_many_at_once",
  "too_many_log_ins",
  "internal",
] as const satisfies readonly ProblemCode[]

/** Returns a function per error that provokes it. */
export async function rareProblems(
  stage: Stage,
): Promise<{ readonly [Code in (typeof rareCodes)[number]]: Provoke }> {
  const { usual, workshop: { database } } = stage
  const request = async (route: MountedRoute, change: Partial<TestRequest> = {}, url = usual.url) =>
    await readResponse(send({ ...await goodRequest(route, stage), ...change }, url))
  const raw = async (route: MountedRoute, headers: readonly string[]) =>
    await sendRaw(await goodRequest(route, stage), usual.url, headers)
  const limited = async (settings: string) => {
    const { url, service } = await stage.open(`limits: { ${settings} }`)
    // Health checks from loopback have no limit.
    const peer = { address: "192.0.2.1" }
    const sendFromElsewhere = ({ path, ...init }: TestRequest) =>
      service.fetch(new Request(url + path, init), peer)
    return async (route: MountedRoute) => {
      for (let n = 0; n < 25; n++) {
        // One after another they would be delayed, not refused. Getting ready may take a log-in, and
        // log-ins wait for up to five seconds.
        const count = route.method === "POST" ? 8 : 4
        const requests = await Promise.all(
          Array.from({ length: count }, () => goodRequest(route, stage)),
        )
        const refused = await firstRefused(
          requests.map((each) => readResponse(sendFromElsewhere(each))),
        )
        if (refused) return refused
      }
      throw new Error(`${route.pattern.text} is never refused`)
    }
  }
  return {
    malformed_request: (route) => raw(route, ["host", "one.example", "host", "two.example"]),
    misdirected_request: (route) => raw(route, ["host", "elsewhere.example"]),
    headers_too_large: (route) => raw(route, ["host", "localhost", "x-large", "x".repeat(20_000)]),
    url_too_long: async (route) => {
      const { path } = await goodRequest(route, stage)
      return await request(route, { path: `${path.split("?")[0]}?q=${"x".repeat(longestUrl)}` })
    },
    too_fast: await limited("burst: 1, quota: 1000000, concurrent: 100"),
    too_many_requests: await limited("burst: 1000000, quota: 1, concurrent: 100"),
    too_many_at_once: (route) => crowd(route, stage),
    too_many_log_ins: async (route) => {
      const isForm = route.kind === "handler" && route.describe?.form !== undefined
      const body = isForm
        ? grantForm("stranger", "wrong")
        : JSON.stringify({ username: "stranger", password: "wrong" })
      for (let n = 0; n <= freeFailures.account; n++) await request(route, { body })
      return await request(route, { body })
    },
    internal: async (route) => {
      const good = await goodRequest(route, stage)
      const rename = (from: string, to: string) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(database.writer)
      for (const table of ["session", "account"]) await rename(table, `${table}_away`)
      const response = await readResponse(send(good, usual.url))
      for (const table of ["session", "account"]) await rename(`${table}_away`, table)
      return response
    },
  }
}

/** Returns the first of these that is refused, without waiting for those that are delayed. */
function firstRefused(responses: readonly Promise<TextResponse>[]) {
  return new Promise<TextResponse | undefined>((resolve, reject) => {
    for (const each of responses) {
      each.then((response) => response.status === 429 && resolve(response), reject)
    }
    Promise.all(responses).then(() => resolve(undefined), reject)
  })
}

/** Reads a response to its end. */
export async function readResponse(response: Promise<Response>): Promise<TextResponse> {
  const { status, headers, ...rest } = await response.then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  return { status, headers, ...rest }
}

/** Sends more concurrent requests than an account may have. */
async function crowd(route: MountedRoute, stage: Stage): Promise<TextResponse> {
  const { path, ...init } = await goodRequest(route, stage)
  const { fetch } = stage.usual.service
  // Unsealing a cookie for the first time would serialize the requests.
  await fetch(new Request(`${stage.usual.url}/session`, { headers: init.headers }))
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => readResponse(fetch(new Request(stage.usual.url + path, init)))),
  )
  const refused = responses.find(({ status }) => status === 429)
  if (!refused) throw new Error(`never refused: ${responses.map(({ status }) => status)}`)
  return refused
}

/** Sends a request with these headers, in this order, instead of a client's own. */
async function sendRaw(
  { method, path, headers, body }: TestRequest,
  url: string,
  first: readonly string[],
): Promise<TextResponse> {
  const own = Object.entries(headers).flat()
  const length = body === undefined ? [] : ["content-length", String(body.length)]
  const sent = request(url + path, { method, headers: [...first, ...own, ...length] }).end(body)
  const [response] = await once(sent, "response") as [IncomingMessage]
  const received = new Headers()
  for (const [name, value] of Object.entries(response.headers)) received.set(name, String(value))
  return { status: response.statusCode ?? 0, headers: received, text: await textOf(response) }
}
