import t, { type Test } from "tap"
import { itemCategories } from "../../core/records/kinds/items.ts"
import { defaultSince } from "../../core/records/lists/page.ts"
import { type App, freshApp } from "../support/app.ts"
import { onEmbedded } from "../support/database.ts"
import { past } from "../support/builder.ts"

const prefix = "/connector-b/v1"
const counts = {
  tickets: 1001,
  auctionItems: 1001,
  buyNows: 3,
  pledges: 1,
  prizeDraws: 1000,
  gliRaffles: 0,
} as const

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build } = app
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const many = await build.event(organization)
  const ids = await build.guests(many, 1001)
  const items: Record<string, string[]> = {}
  for (const category of itemCategories) {
    items[category] = await build.items(category, many, counts[category])
  }

  const few = await build.event(organization)
  const guestAt = (updated: number) => build.guest(few, { updated })
  const hidden = await guestAt(1606062357)
  const [edge, ...newer] = [
    await guestAt(1606062358),
    await guestAt(past + 1),
    await guestAt(past + 2),
  ]
  const tied = [await guestAt(past), await guestAt(past), await guestAt(past)].sort().reverse()
  const newest = [...newer.toReversed(), ...tied, edge]

  const get = await app.logIn("partner")
  const guestsOf = (event: string, query = "") =>
    list(t, get, `${prefix}/events/${event}/guests${query}`)

  const pages: [query: string, from: number, to: number][] = [
    ["", 0, 1000],
    ["?limit=1000&offset=0&q=", 0, 1000],
    ["?offset=1000", 1000, 1001],
    ["?offset=1001", 0, 0],
    ["?offset=9007199254740991", 0, 0],
    ["?limit=1", 0, 1],
    ["?limit=3&offset=999", 999, 1001],
    ["?limit=2&offset=2", 2, 4],
    ["?limit=0010&offset=0002", 2, 12],
  ]
  for (const [query, from, to] of pages) {
    await t.test(`GET ${prefix}/…/guests${query} returns guests ${from} to ${to} of 1001`, async (t) => {
      t.strictSame(await guestsOf(many, query), ids.slice(from, to))
    })
  }

  const sinces: [since: number | string, expected: readonly (string | undefined)[]][] = [
    [defaultSince, newest],
    [1606062357, [...newest, hidden]],
    [1606062359, newest.slice(0, -1)],
    [0, [...newest, hidden]],
    [-1, [...newest, hidden]],
    ["-9223372036854775809", [...newest, hidden]],
    [past, newest.slice(0, -1)],
    [past + 1, newest.slice(0, 2)],
    [past + 2, newest.slice(0, 1)],
    [past + 3, []],
  ]
  for (const [since, expected] of sinces) {
    await t.test(`GET ${prefix}/…/guests?since=${since} returns records updated then or later`, async (t) => {
      t.strictSame(await guestsOf(few, `?since=${since}`), expected)
    })
  }

  await t.test(`GET ${prefix}/events supports paging and since`, async (t) => {
    const all = await list(t, get, `${prefix}/events`)
    t.strictSame(all, [many, few].sort().reverse())
    t.strictSame(await list(t, get, `${prefix}/events?limit=1&offset=1`), all.slice(1, 2))
    t.strictSame(await list(t, get, `${prefix}/events?since=${past + 1}`), [])
    t.strictSame(await list(t, get, `${prefix}/events?offset=2`), [])
  })

  for (const [query, from, to] of pages) {
    await t.test(`GET ${prefix}/…/items${query} pages each category separately`, async (t) => {
      const response = await get(`${prefix}/events/${many}/items${query}`)
      const bundle: Record<string, { id: string }[]> = await response.json()
      t.strictSame(Object.keys(bundle), itemCategories)
      for (const category of itemCategories) {
        t.strictSame(
          bundle[category]?.map(({ id }) => id),
          items[category]?.slice(from, to),
          category,
        )
      }
    })
  }
})

async function list(t: Test, get: App["request"], path: string): Promise<string[]> {
  const response = await get(path)
  t.equal(response.status, 200)
  const rows: { id: string }[] = await response.json()
  return rows.map((row) => row.id)
}
