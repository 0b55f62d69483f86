import t from "tap"
import { itemCategories } from "../../core/records/kinds/items.ts"
import { freshApp } from "../support/app.ts"
import { past } from "../support/builder.ts"
import { onEveryEngine } from "../support/database.ts"
import { readExport } from "../support/export-reader.ts"
import { linkOf } from "../support/polling/link.ts"

/** Ids that no partner should get, though they fit into the column. */
const wrongIds = [
  "$(id>/tmp/x)",
  "';id>/tmp/pwn;'$(id)",
  '"><h1>Session expired</h1>',
  "../../etc/passwd",
  " zzz",
  "91fa3e25-8587-44b1-a2dc-4dbe423dd19",
  "g1fa3e25-8587-44b1-a2dc-4dbe423dd19f",
]
const someWrong = /\$\(id|<h1>Session|etc\/passwd|zzz|dbe423dd19"|g1fa/

await onEveryEngine(t, async (t, engine) => {
  const { build, database, entries, logIn } = await freshApp(t, engine)
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const event = await build.event(organization)
  const ids: string[] = []
  // Newest first. Some pages have only wrong ids, the first and the last ones among them.
  for (const [age, isRight] of [..."xxx.xx..x.x"].map((letter) => letter === ".").entries()) {
    const id = wrongIds[age % wrongIds.length] ?? ""
    const own = isRight ? {} : { id: age < wrongIds.length ? id : `${id}${age}`.slice(-36) }
    const made = await build.guest(event, { updated: past - age, ...own })
    if (isRight) ids.push(made)
  }
  const items: Record<string, string[]> = Object.fromEntries(
    itemCategories.map((name) => [name, []]),
  )
  for (const [at, category] of (["tickets", "pledges", "auctionItems"] as const).entries()) {
    for (let age = 0; age <= at; age++) {
      await build.item(category, event, { id: `x${age}`, updated: past - age })
    }
    items[category] = [await build.item(category, event, { updated: past - 10 })]
  }
  await build.event(organization, { id: wrongIds[1] ?? "", name: "Wrong", updated: past + 9 })
  const get = await logIn("acme-export")
  const path = `/acme/v1/events/${event}`
  const read = async (url: string) => {
    const response = await get(url)
    const text = await response.text()
    t.equal(response.status, 200, text)
    t.notMatch(text, someWrong, url)
    return { response, body: JSON.parse(text) }
  }
  const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

  for (const limit of [1, 3, 1000]) {
    await t.test(`pages of ${limit} have all records with right ids, and no page before the last is empty`, async (t) => {
      // Each twice: records are kept from the first time on.
      for (const _ of [1, 2]) {
        const found = new Set<string>()
        let offset = 0
        for (;; offset += limit) {
          const { body } = await read(`${path}/guests?since=-1&limit=${limit}&offset=${offset}`)
          if (body.length === 0) break
          for (const id of idsOf(body)) found.add(id)
        }
        t.strictSame([...found], ids)
        t.ok(offset < 11 + limit, "the walk by offset ends")

        const walked: string[] = []
        let next: string | undefined = `${path}/guests?since=-1&limit=${limit}`
        while (next) {
          const { response, body } = await read(next)
          next = linkOf(response)
          t.ok(body.length > 0 || !next)
          walked.push(...idsOf(body))
        }
        t.strictSame(walked, ids)

        const bundles = Object.fromEntries(itemCategories.map((name) => [name, new Set<string>()]))
        for (let offset = 0;; offset += limit) {
          const { body } = await read(`${path}/items?since=-1&limit=${limit}&offset=${offset}`)
          if (itemCategories.every((name) => body[name].length === 0)) break
          for (const name of itemCategories) {
            for (const id of idsOf(body[name])) bundles[name]?.add(id)
          }
        }
        t.strictSame(
          Object.entries(bundles).map(([name, found]) => [name, [...found]]),
          Object.entries(items),
        )
      }
    })
  }

  await t.test("events with wrong ids are in no list, and in no text", async () => {
    for (const limit of [1, 1000]) {
      const { body, response } = await read(`/acme/v1/events?since=-1&limit=${limit}`)
      t.strictSame(idsOf(body), [event])
      t.equal(linkOf(response), undefined)
    }
    for (
      const text of [
        "/docs",
        "/docs/feed.sh",
        "/docs/guide.md",
        "/docs/duckdb.sql",
        "/openapi.json",
      ]
    ) {
      const response = await get(text)
      t.equal(response.status, 200)
      t.notMatch(await response.text(), someWrong, text)
    }
  })

  await t.test("digests and exports have the records of the lists", async (t) => {
    const { body } = await read(`${path}/guests/digest`)
    t.equal(body.count, ids.length)
    const whole = await (await get(`${path}/guests/export?since=-1`)).text()
    t.strictSame(idsOf(readExport(whole).rows as { id: string }[]), ids)
    const headers = { accept: "text/csv; end=line" }
    const flat = await (await get(`${path}/items/export?since=-1`, { headers })).text()
    t.strictSame(
      idsOf(readExport(flat).rows as { id: string }[]).toSorted(),
      Object.values(items).flat().toSorted(),
    )
    t.notMatch(whole + flat, someWrong)
  })

  await t.test("deletions of records with wrong ids are left out", async (t) => {
    const [gone = ""] = ids
    for (const id of [...wrongIds, gone]) {
      await database.writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", id)
        .execute()
    }
    for (const limit of [1, 3, 1000]) {
      const walked: string[] = []
      let next: string | undefined = `${path}/guests/deletions?since=-1&limit=${limit}`
      while (next) {
        const { response, body } = await read(next)
        next = linkOf(response)
        t.ok(body.length > 0 || !next)
        walked.push(...idsOf(body))
      }
      t.strictSame(walked, [gone])
    }
  })

  await t.test("the log warns once of each list, without the ids", (t) => {
    const warnings = entries.filter(({ message }) => /ids are not UUIDs/.test(String(message)))
    const lists = warnings.map(({ list }) => list)
    t.strictSame(lists.toSorted(), ["events", "guest deletions", "guests", "items"])
    t.notMatch(JSON.stringify(warnings), someWrong)
    t.match(warnings, [{
      level: "warn",
      event,
      list: "guests",
      route: "/acme/v1/events/:eventId/guests",
    }])
    t.end()
  })
})
