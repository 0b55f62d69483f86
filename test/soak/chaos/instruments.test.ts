import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import t, { type Test } from "tap"
import { Random } from "../../support/random.ts"
import { Client, NotNow } from "./client.ts"
import { compare } from "./comparison.ts"
import { Observations } from "./observations.ts"
import { ServiceLog } from "./service-log.ts"

t.test("compare finds records that are lost, outdated or no longer exist", (t) => {
  const record = (id: string, updated: number) => ({ id, updated })
  const table = [record("same", 1), record("changed", 2), record("new", 3)]
  const copy = new Map(
    [record("same", 1), record("changed", 1), record("deleted", 1)].map((each) => [each.id, each]),
  )
  t.strictSame(compare(copy, table), {
    lost: ["new"],
    stale: ["changed"],
    phantom: ["deleted"],
  })
  t.end()
})

t.test("a Next-Since may not be later than a change that was still open when it arrived", (t) => {
  const violationsOf = (at: number, until: number) => {
    const observations = new Observations()
    observations.bounds.push({ nextSince: 98, arrived: 1000 }, { nextSince: 101, arrived: 2000 })
    observations.openChanges.push({ at, until })
    observations.checkBounds()
    return observations.violations
  }
  t.strictSame(violationsOf(97, 900), [])
  t.strictSame(violationsOf(98, 1500), [])
  t.match(violationsOf(97, 1500), [/1 s later than a change that was committed 500 ms after/])
  t.strictSame(violationsOf(101, 9000), [])
  t.match(violationsOf(99, 9000), [/2 s later than a change that was committed 7000 ms after/])
  t.end()
})

t.test("the log of a service reports what no service may print", async (t) => {
  const lines: Record<string, RegExp | undefined> = {
    '{"level":30,"msg":"request","status":503}': undefined,
    '{"level":30,"msg":"request","status":500,"route":"/session"}': /status 500 of \/session/,
    '{"level":50,"msg":"request failed","error":{"name":"TypeError"}}': /internal error.*TypeError/,
    '{"level":30,"msg":"Ada Lovelace"}': /printed "Lovelace"/,
    '{"level":30,"msg":"mysql://me:hunter2@host"}': /printed "hunter2"/,
    "TypeError: no": /no JSON/,
  }
  for (const [line, expected] of Object.entries(lines)) {
    const observations = new Observations()
    const log = new ServiceLog(observations, ["hunter2"])
    log.read(line.slice(0, 9))
    log.read(`${line.slice(9)}\n`)
    t.equal(observations.violations.length, expected ? 1 : 0, line)
    if (expected) t.match(observations.violations[0], expected)
  }
})

t.test("a client reports responses that no partner may get, and broken connections only as such", async (t) => {
  const unavailable = JSON.stringify({ code: "unavailable" })
  const responses: Record<string, [status: number, body: string, violation: RegExp | undefined]> = {
    "/good": [200, "[]", undefined],
    "/unavailable": [503, unavailable, undefined],
    "/without-retry-after": [503, unavailable, /returned 503/],
    "/internal": [
      500,
      JSON.stringify({ code: "internal" }),
      /GET \/internal returned 500 internal/,
    ],
    "/logged-out": [401, JSON.stringify({ code: "unauthenticated" }), /returned 401/],
    "/cut": [0, "", undefined],
  }
  const url = await listen(t, responses)
  for (const [path, [status, , violation]] of Object.entries(responses)) {
    const observations = new Observations()
    const client = new Client([{ url, life: "" }], { observations, random: new Random(1) })
    const getting = client.get(path)
    if (status === 200) t.equal((await getting).text, "[]")
    else await t.rejects(getting, NotNow)
    t.equal(observations.violations.length, violation ? 1 : 0, path)
    if (violation) t.match(observations.violations[0], violation)
    t.strictSame([...observations.outcomes().keys()], [status === 0 ? "broken" : String(status)])
  }
})

/** Serves these responses by path, and returns the server's URL. */
async function listen(
  t: Test,
  responses: Record<string, readonly [status: number, body: string, ...rest: unknown[]]>,
): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const [status = 0, body] = responses[url] ?? []
    if (status === 0) return void response.destroy()
    if (url === "/unavailable") response.setHeader("retry-after", "5")
    response.writeHead(status).end(body)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
