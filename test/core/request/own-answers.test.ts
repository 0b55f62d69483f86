import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import type { Capability } from "../../../core/kernel/capability.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import type { List } from "../../../core/records/list.ts"
import type { Answered, Facts, PageFacts } from "../../../core/request/facts.ts"
import type { ListRequest } from "../../../core/request/authorize.ts"
import type { Walks } from "../../../core/request/listing/walks.ts"
import { mountPlugins } from "../../../core/routes/mount.ts"
import { generous, testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../support/database.ts"
import { logInto } from "../../support/service.ts"

const id = "0A0A0A0A-0000-4000-8000-000000000001"

await onEmbedded(t, async (t, engine) => {
  await t.test("a derived list is answered by its capability, with the policy of the route that it is from", async (t) => {
    const { get, send, stranger, event } = await serve(t, engine)
    const answer = await get(`${event}/feed?after=now&limit=7`)
    t.equal(answer.status, 200)
    t.match(await answer.json(), { list: "feed", from: "now", limit: 7 })
    t.match(await (await get(`${event}/feed?after=`)).json(), { from: null, limit: 1000 })
    t.equal((await stranger(`${event}/feed`)).status, 404)
    const head = await send("HEAD", `${event}/feed`)
    t.strictSame([head.status, await head.text()], [200, ""])
    const { code } = await (await send("POST", `${event}/feed`)).json()
    t.equal(code, "method_not_allowed")
  })

  await t.test("an after that is too long or has other letters is a 400, as is what the list does not take", async (t) => {
    const { get, event, facts } = await serve(t, engine)
    for (const after of ["a b", "a.b.c", "é", "a".repeat(2049)]) {
      const answer = await get(`${event}/feed?after=${encodeURIComponent(after)}`)
      t.match(await answer.json(), {
        code: "invalid_parameter",
        errors: [{ parameter: "after", detail: /not a cursor of this feed; begin again/ }],
      })
    }
    t.match(await (await get(`${event}/feed?cursor=a.b`)).json(), { code: "invalid_parameter" })
    t.match(facts.at(-1)?.line.rejected, ["cursor"])
    t.match(await (await get(`${event}/guests?after=now`)).json(), { code: "invalid_parameter" })
  })

  await t.test("the id of a record is read from the path as it was sent, and its words are those of other lists", async (t) => {
    const { get, send, stranger, event } = await serve(t, engine)
    t.match(await (await get(`${event}/guests/${id}`)).json(), { list: "one", recordId: id })
    t.equal((await stranger(`${event}/guests/${id}`)).status, 404)
    t.strictSame(await (await get(`${event}/guests/deletions`)).json(), [])
    t.match(await (await get(`${event}/guests/digest`)).json(), { count: 2 })
    const lines = (await (await get(`${event}/guests/export`)).text()).trimEnd().split("\n")
    t.equal(lines.length, 3)
    const { code } = await (await send("PUT", `${event}/guests/digest`)).json()
    t.equal(code, "method_not_allowed")
  })

  await t.test("the bound and the steps of a request are those of the walk that it would begin", async (t) => {
    const { get, event } = await serve(t, engine)
    const { bound, nextSince, steps } = await (await get(`${event}/feed`)).json()
    t.ok(bound > 0)
    t.equal(bound, nextSince)
    t.strictSame(steps, [])
  })

  await t.test("observers get the facts of each list that an answer stands for, and of any other its page", async (t) => {
    const { get, event, facts } = await serve(t, engine)
    await get(`${event}/feed`)
    t.match(facts.at(-1), {
      page: { rows: 3, list: { name: "feed" } },
      pages: [{ rows: 2, list: { name: "guests" } }, { rows: 1, list: { name: "items" } }],
      line: { action: "list", rows: 3 },
    })
    await get(`${event}/guests`)
    const { page, pages } = facts.at(-1) ?? {}
    t.match(page, { rows: 2, list: { name: "guests" } })
    t.strictSame(pages, [page])
    await get(`${event}/guests?limit=0`)
    t.match(facts.at(-1), { page: undefined, pages: [] })
  })

  await t.test("the admission of a list of records and deletions knows the newest of both", async (t) => {
    const { get, event, database, eventId } = await serve(t, engine)
    t.match(await (await get(`${event}/feed`)).json(), { newest: Number, deleted: null })
    await database.writer.deleteFrom("guest")
      .where("event_id", "=", eventId).where("email", "=", "guest0@example.org").execute()
    t.match(await (await get(`${event}/feed`)).json(), { newest: Number, deleted: Number })
  })
})

/** Serves the families with a capability that derives two lists from each list of guests, and answers them. */
async function serve(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const eventId = await build.event(await build.organization("acme"))
  await build.guests(eventId, 2)
  await build.items("tickets", eventId, 1)
  for (const name of ["ann", "eve"]) await build.account(name)
  await build.grant("ann", { organization: "acme" })
  const config = await testConfig(url)
  let walks: Walks | undefined
  const answer = (request: ListRequest): Answered => {
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
        if (from.kind !== "listing" || from.list.name !== "guests" || from.export) return []
        const items = routes.flatMap((route) =>
          route.kind === "listing" && route.prefix === from.prefix && route.list.name === "items" &&
            !route.export
            ? [route.list]
            : []
        )
        const feed: List = {
          ...from.list,
          name: "feed",
          of: [from.list, ...items],
          hasHorizon: true,
          parameters: ["limit", "after"],
        }
        return [
          { from, path: "/events/:eventId/feed", list: feed },
          {
            from,
            path: `${from.path}/:id`,
            list: { ...from.list, name: "one", of: [from.list], parameters: [] },
          },
        ]
      }),
    open: (host) => {
      walks = host.walks
      return {
        answers: (request) =>
          ["feed", "one"].includes(request.route.list.name)
            ? Promise.resolve(answer(request))
            : undefined,
      }
    },
  }
  const { routes, problems } = mountPlugins(config.plugins, { deriving: [capability] })
  t.strictSame(problems, [])
  const facts: Facts[] = []
  const instance = await startInstance(
    {
      ...{ ...config, routes, limits: generous },
      capabilities: [...config.capabilities, { capability, settings: undefined }],
    },
    {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      observers: [(each) => void facts.push(each)],
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
  return { get, send, stranger, event, eventId, facts, database }
}

function pageOf(list: List, rows: number): PageFacts {
  return {
    ...{ list, rows, at: 1, since: 0, nextSince: 1, isFirst: true, isFiltered: false },
    ...{ range: { from: 0, to: 1 }, span: undefined, leftOut: 0, completeSince: undefined },
    ...{ isSame: undefined, cursor: undefined, pollInterval: 60, hasNext: false },
  }
}
