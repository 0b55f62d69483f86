import { once } from "node:events"
import { readFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { connect, createServer, type Socket } from "node:net"
import { text as textOf } from "node:stream/consumers"
import { sql } from "kysely"
import { freeAttempts } from "../../core/access/log-in.ts"
import { longestUrl } from "../../core/http/guard.ts"
import type { ProblemCode } from "../../core/http/problems.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"
import type { CameBack } from "./described.ts"
import { type Asked, goodRequest, send } from "./requests.ts"
import type { Served, Stage } from "./stage.ts"

/** Brings a route to answer an error that takes more than one request, or a broken one. */
export type Provoke = (route: MountedRoute) => Promise<CameBack>

/** Errors of services under stress, of requests that no `fetch` sends, and of databases in trouble. */
export const rareCodes = [
  ...["malformed_request", "misdirected_request", "url_too_long", "headers_too_large"] as const,
  ...["too_fast", "too_many_requests", "too_many_at_once", "too_many_log_ins"] as const,
  ...["internal", "unavailable"] as const,
] satisfies ProblemCode[]

/** How each of them is brought about. The embedded database is never away. */
export async function rareProblems(
  stage: Stage,
): Promise<{ readonly [Code in (typeof rareCodes)[number]]?: Provoke }> {
  const { usual, workshop: { database } } = stage
  const ask = async (route: MountedRoute, change: Partial<Asked> = {}, url = usual.url) =>
    await cameBack(send({ ...await goodRequest(route, stage), ...change }, url))
  const raw = async (route: MountedRoute, headers: readonly string[]) =>
    await sendRaw(await goodRequest(route, stage), usual.url, headers)
  const limited = async (settings: string) => {
    const { url } = await stage.open(`limits: { ${settings} }`)
    return (route: MountedRoute) => until429(() => ask(route, {}, url))
  }
  return {
    malformed_request: (route) => raw(route, ["host", "one.example", "host", "two.example"]),
    misdirected_request: (route) => raw(route, ["host", "elsewhere.example"]),
    headers_too_large: (route) => raw(route, ["host", "localhost", "x-large", "x".repeat(20_000)]),
    url_too_long: async (route) => {
      const { path } = await goodRequest(route, stage)
      return await ask(route, { path: `${path.split("?")[0]}?q=${"x".repeat(longestUrl)}` })
    },
    too_fast: await limited("burst: 1, quota: 1000000, concurrent: 4"),
    too_many_requests: await limited("burst: 1000000, quota: 1, concurrent: 4"),
    too_many_at_once: (route) => crowd(route, stage),
    too_many_log_ins: async (route) => {
      const body = JSON.stringify({ username: "stranger", password: "wrong" })
      for (let n = 0; n <= freeAttempts.name; n++) await ask(route, { body })
      const { text, ...came } = await ask(route, { body })
      // How long to wait depends on how fast this machine is.
      return { ...came, text: text.replace(/in [12] s/, "in 2 s") }
    },
    internal: async (route) => {
      const asked = await goodRequest(route, stage)
      const rename = async (from: string, to: string): Promise<void> => {
        try {
          await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
            database.writer,
          )
        } catch (error) {
          // Of what the service writes behind the requests' backs.
          if ((error as { code?: string }).code !== "ER_LOCK_DEADLOCK") throw error
          await rename(from, to)
        }
      }
      for (const table of ["session", "account"]) await rename(table, `${table}_away`)
      const came = await cameBack(send(asked, usual.url))
      for (const table of ["session", "account"]) await rename(`${table}_away`, table)
      return came
    },
    ...database.dialect.name === "mysql" ? { unavailable: await withoutDatabase(stage) } : {},
  }
}

/** Reads an answer to its end. */
export async function cameBack(answer: Promise<Response>): Promise<CameBack> {
  const { status, headers, ...response } = await answer.then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  }))
  return { status, headers, ...response }
}

async function until429(ask: () => Promise<CameBack>): Promise<CameBack> {
  for (let n = 0; n < 100; n++) {
    const came = await ask()
    if (came.status === 429) return came
  }
  throw new Error("never refused")
}

/** More requests at once than an account may have running. */
async function crowd(route: MountedRoute, stage: Stage): Promise<CameBack> {
  const { path, ...init } = await goodRequest(route, stage)
  const { fetch } = stage.usual.service
  // Unsealing a cookie for the first time would put the requests one behind the other.
  await fetch(new Request(`${stage.usual.url}/session`, { headers: init.headers }))
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => cameBack(fetch(new Request(stage.usual.url + path, init)))),
  )
  const refused = answers.find(({ status }) => status === 429)
  if (!refused) throw new Error(`never refused: ${answers.map(({ status }) => status)}`)
  return refused
}

/** With these headers, in this order, instead of what a client would send by itself. */
async function sendRaw(
  { method, path, headers, body }: Asked,
  url: string,
  given: readonly string[],
): Promise<CameBack> {
  const own = Object.entries(headers).flat()
  const length = body === undefined ? [] : ["content-length", String(body.length)]
  const sent = request(url + path, { method, headers: [...given, ...own, ...length] }).end(body)
  const [answer] = await once(sent, "response") as [IncomingMessage]
  const received = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value))
  return { status: answer.statusCode ?? 0, headers: received, text: await textOf(answer) }
}

/** A service whose database goes away once it has started. */
async function withoutDatabase(stage: Stage): Promise<Provoke> {
  const line = /^database: \{ url: "([^"]+)" \}$/m
  const [, address = ""] = line.exec(readFileSync(stage.workshop.file, "utf8")) ?? []
  const database = new URL(address)
  const sockets = new Set<Socket>()
  const proxy = createServer((inward) => {
    const outward = connect(Number(database.port || 3306), database.hostname)
    for (const [from, to] of [[inward, outward], [outward, inward]] as const) {
      sockets.add(from)
      from.pipe(to).on("error", () => from.destroy())
      from.on("close", () => to.destroy())
    }
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const url = new URL(address)
  url.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  const lonely: Served = await stage.open("", url.href)
  const cookies = new Map<string, Asked>()
  for (const route of stage.routes) {
    cookies.set(`${route.method} ${route.pattern.text}`, await goodRequest(route, stage))
  }
  proxy.close()
  for (const socket of sockets) socket.destroy()
  await once(proxy, "close")
  return async (route) => {
    const asked = cookies.get(`${route.method} ${route.pattern.text}`)
    if (!asked) throw new Error(`no request for ${route.pattern.text}`)
    return await cameBack(send(asked, lonely.url))
  }
}
