import { setTimeout } from "node:timers/promises"
import t from "tap"
import type { PartnerState } from "../../../../plugins/capabilities/partners/definitions.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { type App, freshApp } from "../../../support/app.ts"
import { past } from "../../../support/builder.ts"
import { onEmbedded } from "../../../support/database.ts"

const retention = 90 * 86_400
const secondsNow = () => Math.floor(Date.now() / 1000)

/** A partner's program, and what it has to remember. */
interface Program {
  readonly account: string
  readonly get: App["request"]
  readonly notes: Map<string, string>
}

/** A way to read, and what an operator must read of it six minutes later. */
interface Row {
  readonly name: string
  /** What its program does, twice. */
  readonly act: (program: Program) => Promise<unknown>
  /** A grant for the organization instead of one for the event. */
  readonly may?: "all"
  readonly shows: PartnerState
  readonly says: RegExp
}

await onEmbedded(t, async (t, engine) => {
  const { build, database, logIn, request } = await freshApp(t, engine)
  const acme = await build.organization("acme")
  const [event, changed] = [await build.event(acme), await build.event(acme)]
  for (const each of [event, changed]) {
    await build.guests(each, 5)
    await build.items("tickets", each, 5)
  }
  await database.writer.insertInto("event_version").values({
    ...{ event_id: event, seq: 0, changes: 0, mark: 0, forgotten_guests: past + 1 },
  }).execute()
  const base = `/connector-b/v1/events/${event}`

  /** Reads all pages of a list. Remembers the `Next-Since` of the first, and the newest record. */
  const walk = async ({ get, notes }: Program, list: string, query: string, at = base) => {
    for (let path = `${at}/${list}?${query}&limit=3`, isFirst = true; path; isFirst = false) {
      const response = await get(path)
      for (const [, updated = ""] of (await response.text()).matchAll(/"updated":(\d+)/g)) {
        const newest = Math.max(Number(updated), Number(notes.get("newest") ?? 0))
        notes.set("newest", String(newest))
      }
      if (isFirst) notes.set(list, response.headers.get("next-since") ?? "")
      path = /<http:\/\/[^/]*([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ??
        ""
    }
  }
  const poll = async (program: Program, ...lists: readonly string[]) => {
    for (const list of lists) {
      await walk(program, list, `since=${program.notes.get(list) ?? -1}`)
    }
  }
  const readFeed = async ({ get, notes }: Program, query: string, pages = 100) => {
    for (let page = 0, more = true; more && page < pages; page++) {
      const after = notes.get("cursor")
      const cursor = after === undefined ? "" : `&after=${after}`
      const body = await (await get(`${base}/changes?${query}${cursor}`)).json()
      notes.set("cursor", body.next)
      more = body.more
    }
  }
  const whole = ["guests", "guests/deletions", "items", "items/deletions"]

  const rows: readonly Row[] = [
    {
      name: "polls as the guide says",
      act: (program) => poll(program, ...whole),
      ...{ shows: "in sync", says: /everything that changed until/ },
    },
    {
      name: "reads everything each time",
      act: (program) => walk(program, "guests", ""),
      ...{ shows: "in sync", says: /What to do: nothing\./ },
    },
    {
      name: "asks since the newest updated that it has",
      async act(program) {
        await walk(program, "guests", `since=${program.notes.get("newest") ?? -1}`)
        await poll(program, "guests/deletions")
      },
      ...{ shows: "in sync", says: /What to do: nothing\./ },
    },
    {
      name: "reads the feed",
      act: (program) => readFeed(program, "limit=3"),
      ...{ shows: "in sync", says: /What to do: nothing\./ },
    },
    {
      name: "begins the feed with now, and reads nothing else",
      act: (program) => readFeed(program, program.notes.has("cursor") ? "limit=3" : "after=now"),
      ...{ shows: "partial", says: /not known whether it has all of/ },
    },
    {
      name: "reads one record of the feed at a time",
      act: (program) => readFeed(program, "limit=1", 1),
      ...{ shows: "behind", says: /Behind with/ },
    },
    {
      name: "reads the first page of the feed again and again",
      may: "all",
      act: ({ get }) => get(`${base.replace(event, changed)}/changes?limit=3`),
      ...{ shows: "behind", says: /behind by 6 min\./ },
    },
    {
      name: "never reads deletions",
      may: "all",
      async act(program) {
        const at = base.replace(event, changed)
        for (const list of ["guests", "items"]) await walk(program, list, "since=-1", at)
      },
      ...{ shows: "behind", says: /It has never read deletions\.[^]*do: tell the partner to read/ },
    },
    {
      name: "reads nothing after a change",
      may: "all",
      async act(program) {
        for (const list of ["guests", "guests/deletions"]) {
          await walk(program, list, "since=-1", base.replace(event, changed))
        }
      },
      ...{ shows: "behind", says: /Behind with guest[^]*1 deletion has not been fetched/ },
    },
    {
      name: "never ends a walk",
      act: ({ get }) => get(`${base}/guests?since=-1&limit=1`),
      ...{ shows: "behind", says: /no walk was ever completed/ },
    },
    {
      name: "reads items by category only",
      act: (program) => walk(program, "items", "since=-1&category=tickets"),
      ...{ shows: "partial", says: /by category/ },
    },
    {
      name: "searches only",
      act: (program) => walk(program, "guests", "since=-1&q=ada"),
      ...{ shows: "partial", says: /search/ },
    },
    {
      name: "ignores 410",
      async act({ get }) {
        t.equal((await get(`${base}/guests/deletions?since=${past}`)).status, 410)
      },
      ...{ shows: "stuck", says: /It must read everything again/ },
    },
    {
      name: "asks for changes since tomorrow",
      act: ({ get }) => get(`${base}/guests?since=${secondsNow() + 86_400}`),
      ...{ shows: "stuck", says: /in the future/ },
    },
    {
      name: "asks for an event that is not there",
      act: ({ get }) => get(base.replace(event, crypto.randomUUID()) + "/guests"),
      ...{ shows: "stuck", says: /404 event_not_found/ },
    },
    {
      name: "reads half of its events",
      may: "all",
      act: (program) => poll(program, ...whole),
      ...{ shows: "in sync", says: /It does not read 1 of its events that have not ended/ },
    },
    {
      name: "logs in with a wrong password",
      async act({ account }) {
        const response = await request("/session", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: account, password: "wrong" }),
        })
        t.equal(response.status, 401)
      },
      ...{ shows: "locked out", says: /account passwd/ },
    },
  ]

  const programs: Program[] = []
  for (const [n, { may }] of rows.entries()) {
    const account = `partner-${n}`
    await build.account(account)
    await build.grant(account, may ? { organization: "acme" } : { event })
    let session: App["request"] | undefined
    const get: App["request"] = async (path) => (session ??= await logIn(account))(path)
    programs.push({ account, get, notes: new Map() })
  }
  for (const [n, { act }] of rows.entries()) {
    for (const _ of [1, 2]) await act(programs[n]!)
  }
  const now = secondsNow()
  await build.guest(changed, { updated: now + 60 })
  await database.writer.insertInto("deletion").values({
    ...{ event_id: changed, category: "guests", record_id: crypto.randomUUID(), at: now + 60 },
  }).execute()
  const find = (account: string) => findPartner(database, account, { retention, at: now + 360 })
  // What was requested is recorded in the background, in its order; refusals by themselves.
  const recorded = async (account: string) => {
    while ((await find(account)).health.state === "never polled") await setTimeout(5)
  }
  await build.account("last")
  await build.grant("last", { event })
  await (await logIn("last"))(`${base}/guests`)
  await recorded("last")
  for (const [n, { name, shows, says }] of rows.entries()) {
    await t.test(`partners says of a partner that ${name}: ${shows}`, async (t) => {
      await recorded(`partner-${n}`)
      const { health, sentences } = await find(`partner-${n}`)
      t.equal(health.state, shows)
      t.match(sentences.join("\n"), says)
    })
  }
})
