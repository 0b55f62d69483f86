import t, { type Test } from "tap"
import type { Capability } from "../../../core/kernel/capability.ts"
import { startInstance } from "../../conformance/instance.ts"
import type { List } from "../../../core/records/lists/list.ts"
import { type Exchange, type ListAnswer, type SentPage } from "../../../core/request/exchange.ts"
import type { ListRequest } from "../../../core/request/authorize.ts"
import type { BegunLayer, ListLayer } from "../../../core/request/list-layer.ts"
import type { Walks } from "../../../core/request/listing/walks.ts"
import { mountPlugins } from "../../../core/routes/mount.ts"
import { generous, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../support/database.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const id = "0A0A0A0A-0000-4000-8000-000000000001"

await onEmbedded(t, async (t, engine) => {
  const { get, send, stranger, event, eventId, exchanges, layers, database } = await serve(
    t,
    engine,
  )
  const guests = `${event}/guests`

  await t.test("a derived list is answered by its capability, with the policy of the route that it is from", async (t) => {
    const answer = await get(`${event}/feed?after=now&limit=7`)
    t.equal(answer.status, 200)
    const { bound, nextSince, ...asked } = await answer.json()
    t.match(asked, { list: "feed", from: "now", limit: 7, steps: [] })
    t.ok(bound > 0 && bound === nextSince, "those of the walk that it would begin")
    t.match(await (await get(`${event}/feed?after=`)).json(), { from: null, limit: 1000 })
    t.equal((await stranger(`${event}/feed`)).status, 404)
    t.equal((await send("HEAD", `${event}/feed`)).status, 200)
  })

  await t.test("an after that is too long or has other letters is a 400, as is what the list does not take", async (t) => {
    for (const after of ["a b", "a.b.c", "é", "a".repeat(2049)]) {
      const answer = await get(`${event}/feed?after=${encodeURIComponent(after)}`)
      t.match(await answer.json(), {
        code: "invalid_parameter",
        errors: [{ parameter: "after", detail: /not a cursor of this feed; begin again/ }],
      })
    }
    t.match(await (await get(`${event}/feed?cursor=a.b`)).json(), { code: "invalid_parameter" })
    t.strictSame(exchanges.at(-1)?.rejected, ["cursor"])
    t.match(await (await get(`${event}/guests?after=now`)).json(), { code: "invalid_parameter" })
  })

  await t.test("the id of a record is read from the path as it was sent, and its words are those of other lists", async (t) => {
    t.match(await (await get(`${event}/guests/${id}`)).json(), { list: "one", recordId: id })
    t.equal((await stranger(`${event}/guests/${id}`)).status, 404)
    t.strictSame(await (await get(`${event}/guests/deletions`)).json(), [])
    t.match(await (await get(`${event}/guests/digest`)).json(), { count: 2 })
    const { code } = await (await send("PUT", `${event}/guests/digest`)).json()
    t.equal(code, "method_not_allowed")
  })

  await t.test("observers get what was sent of each list that an answer stands for, and of any other its page", async (t) => {
    await get(`${event}/feed`)
    t.match(exchanges.at(-1), {
      asked: { action: "list" },
      sent: {
        page: { rows: 3, list: { name: "feed" } },
        pages: [{ rows: 2, list: { name: "guests" } }, { rows: 1, list: { name: "items" } }],
      },
    })
    await get(`${event}/guests`)
    const { page, pages } = exchanges.at(-1)?.sent ?? {}
    t.match(page, { rows: 2, list: { name: "guests" } })
    t.strictSame(pages, [page])
    await get(`${event}/guests?limit=0`)
    t.match(exchanges.at(-1)?.sent, { page: undefined, pages: [] })
  })

  await t.test("the admission of a list of records and deletions knows the newest of both", async (t) => {
    t.match(await (await get(`${event}/feed`)).json(), { newest: Number, deleted: null })
    await database.writer.deleteFrom("guest")
      .where("event_id", "=", eventId).where("email", "=", "guest0@example.org").execute()
    t.match(await (await get(`${event}/feed`)).json(), { newest: Number, deleted: Number })
  })

  await t.test("layers answer around each other, in their order, and know the limits", async (t) => {
    const calls: string[] = []
    const named = (name: string): ListLayer => ({
      begin: () => {
        calls.push(`${name} begins`)
        return {
          async answer({ limits }, next) {
            calls.push(`${name} of ${limits.waiting}`)
            const answered = await next()
            return { ...answered, headers: { ...answered.headers, [name]: "was here" } }
          },
        }
      },
    })
    layers.push(named("outer"), { begin: () => undefined }, named("inner"))
    const { status, headers } = await get(guests)
    t.strictSame(calls, ["outer begins", "inner begins", "outer of 7", "inner of 7"])
    t.match([status, headers.get("outer"), headers.get("inner")], [200, "was here", "was here"])
  })

  await t.test("a layer says what the admission has to look up, and may leave the place among the running requests", async (t) => {
    const seen: unknown[] = []
    const leaving: BegunLayer = {
      needsDeletions: true,
      async answer(turn, next) {
        layers.length = 0
        const other = async () => seen.push((await get(guests)).status)
        await other()
        turn.leave()
        await other()
        await turn.read(async ({ question }) => seen.push(question.deletions))
        return await next()
      },
    }
    layers.splice(0, 3, { begin: () => leaving })
    seen.push((await get(guests)).status)
    t.strictSame(seen, [429, 200, ["guests"], 200])
  })

  await t.test("a layer reads as of the admission once, and then from another admission on", async (t) => {
    const seen: ListRequest["admission"][] = []
    const twice: BegunLayer = {
      async answer(turn, next) {
        const look = () => turn.read(async ({ admission }) => void seen.push(admission))
        await look()
        await look()
        await database.writer.deleteFrom("access_grant").execute()
        await t.rejects(look(), { code: "event_not_found" })
        return await next()
      },
    }
    layers.splice(0, 1, { begin: () => twice })
    t.match(await (await get(guests)).json(), { code: "event_not_found" })
    t.equal(seen.length, 2, "nothing is read without rights")
    t.not(seen[0], seen[1])
  })
})

/** Serves the families with a capability that derives two lists from each list of guests, and answers them. */
async function serve(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const eventId = await build.event(await build.organization("acme"))
  await build.guests(eventId, 2)
  await build.items("tickets", eventId, 1)
  for (const name of ["ann", "eve"]) await build.account(name)
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(url)
  let walks: Walks | undefined
  const layers: ListLayer[] = []
  const answer = (request: ListRequest): ListAnswer => {
    const { route: { list }, input: { query, recordId }, admission: { event }, steps } = request
    const { from = null, limit } = query?.value ?? {}
    const body = {
      ...{ list: list.name, from, limit, recordId: recordId ?? null, steps },
      ...{ newest: event?.newest, deleted: event?.deleted },
      ...{ bound: walks?.boundOf(request), nextSince: walks?.of(request).nextSince },
    }
    const pages = (list.of ?? []).map((list, index) => pageOf(list, 2 - index))
    const headers = { "content-type": "application/json" }
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    return { status: 200, headers, body: bytes, page: pageOf(list, 3), pages }
  }
  const capability: Capability = {
    name: "own",
    summary: "Answers two lists of its own",
    derives: (routes) =>
      routes.flatMap((from) => {
        if (from.kind !== "listing" || from.list.name !== "guests") return []
        const items = routes.flatMap((other) =>
          other.kind === "listing" && other.path === "/events/:eventId/items" &&
            other.prefix === from.prefix
            ? [other.list]
            : []
        )
        const parameters: List["parameters"] = ["limit", "after"]
        const feed = { name: "feed", of: [from.list, ...items], hasHorizon: true, parameters }
        const one = { name: "one", of: [from.list], parameters: [] }
        return [
          { from, path: "/events/:eventId/feed", list: { ...from.list, ...feed } },
          { from, path: `${from.path}/:id`, list: { ...from.list, ...one } },
        ]
      }),
    open: (host) => {
      walks = host.walks
      return {
        layers: [0, 1, 2].map((place) => ({ begin: (...args) => layers[place]?.begin(...args) })),
        answers: (request) =>
          ["feed", "one"].includes(request.route.list.name)
            ? Promise.resolve(answer(request))
            : undefined,
      }
    },
  }
  const { routes, problems } = mountPlugins(config.plugins, { deriving: [capability] })
  t.strictSame(problems, [])
  const exchanges: Exchange[] = []
  const instance = await startInstance(
    {
      ...{ ...config, routes, limits: { ...generous, concurrent: 1, waiting: 7 } },
      capabilities: [...config.capabilities, { capability, settings: undefined }],
    },
    {
      log: scannedLog(t, []),
      observers: [(each) => void exchanges.push(each)],
    },
  )
  t.teardown(() => instance.close())
  const get = await logInto(instance.fetch, "ann")
  const send = (method: string, path: string) =>
    instance.fetch(
      new Request(`http://localhost${path}`, { method, headers: { cookie: get.cookie } }),
    )
  const stranger = await logInto(instance.fetch, "eve")
  const event = `/connector-b/v1/events/${eventId}`
  return { get, send, stranger, event, eventId, exchanges, layers, database }
}

function pageOf(list: List, rows: number): SentPage {
  return {
    ...{ list, rows, at: 1, since: 0, nextSince: 1, isFirst: true, isFiltered: false },
    ...{ range: { from: 0, to: 1 }, span: undefined, leftOut: [], completeSince: undefined },
    ...{ isSame: undefined, cursor: undefined, pollInterval: 60, hasNext: false },
  }
}
