import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const many = 300
const longest = 60_000

await onEveryEngine(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database: { writer } } = app
  await build.account("operator", "operator")
  const event_id = await build.event(await build.organization("acme"), { name: "Gala" })
  const now = Math.floor(Date.now() / 1000)
  const accounts: string[] = []
  for (let n = 0; n < many; n++) {
    accounts.push(await build.account(nameOf(n)))
    await build.grant(nameOf(n), { organization: "acme" })
  }
  const browse = await app.logIn("operator")
  const read = async (query = "") => {
    const response = await browse(`/console${query}`, { headers: { accept: "text/html" } })
    return await response.text()
  }
  /** Returns the names of the rows of the table, in their order. */
  const rowsOf = (text: string) =>
    [...text.matchAll(/<tr><th scope="row"><a href="\/console\/partners\/([^"]*)"/g)]
      .map(([, name = ""]) => name)
  /** Has each partner poll at a time, as far as `covered`. */
  const poll = async (
    timesOf: (n: number) => { readonly at: number; readonly covered: number },
  ) => {
    await writer.deleteFrom("sync_state").execute()
    await writer.insertInto("sync_state").values(accounts.map((account_id, n) => {
      const { at, covered } = timesOf(n)
      return emptyRow({
        account_id,
        event_id,
        last_poll: at,
        poll_interval: 60,
        walk_started: at,
        walk_since: covered,
        walk_next: at,
        walk_completed: at,
        completed_next: covered,
        acknowledged: covered,
        acknowledged_at: at,
      })
    })).execute()
  }

  await t.test("GET /console of 300 partners who are well has their names, and says that none needs attention", async (t) => {
    await poll(() => ({ at: now, covered: now }))
    const text = await read()
    t.match(text, "No partner needs attention.")
    t.match(text, /<summary>[^]*<b>300<\/b><\/summary>/)
    t.strictSame(rowsOf(text), [])
    for (const name of [nameOf(0), nameOf(many - 1)]) {
      t.match(text, `<a href="/console/partners/${name}">${name}</a>`)
    }
    t.ok(text.length <= longest, `${text.length} bytes`)
  })

  await t.test("GET /console shows what is wrong in full, the longest first, and folds the others", async (t) => {
    await poll((n) => ({ at: n < 3 ? now - 90_000 + n : now, covered: now }))
    const text = await read()
    t.match(text, "3 of 300 need attention")
    t.strictSame(rowsOf(text), [nameOf(0), nameOf(1), nameOf(2)])
    t.match(text, /silent[^]*It has sent no request/)
    t.match(text, /<b>297<\/b><\/summary>/)
    t.ok(text.length <= longest, `${text.length} bytes`)
  })

  await t.test("GET /console of 300 partners who are all wrong shows 30, and leads to the others", async (t) => {
    await poll((n) => ({ at: now - 90_000 - n, covered: now - 90_000 }))
    const text = await read()
    t.equal(rowsOf(text).length, 30)
    t.match(text, "270 more that need attention")
    t.ok(text.length <= longest, `${text.length} bytes`)
    const seen = new Set(rowsOf(text))
    for (let page = 2; page <= 10; page++) {
      const next = await read(`?sort=state&page=${page}`)
      t.ok(next.length <= longest, `${next.length} bytes`)
      for (const name of rowsOf(next)) seen.add(name)
    }
    t.equal(seen.size, many)
    t.strictSame(rowsOf(await read("?sort=state&page=11")), [])
  })

  await t.test("GET /console shows what each day was like, and of the last one what is seen now", async (t) => {
    await poll((n) => ({ at: n === 0 ? now - 90_000 : now, covered: now }))
    await writer.deleteFrom("partner_state").execute()
    await writer.deleteFrom("partner_look").execute()
    await writer.insertInto("partner_look").values({ id: 1, at: now }).execute()
    const text = await read()
    t.equal(text.match(/<svg class="days"/g)?.length, 1)
    t.match(text, "<title>29 days not known, 1 day silent</title>")
    t.ok(text.length <= longest, `${text.length} bytes`)
  })

  await t.test("GET /console sorts by name and last poll, in both directions, and says so", async (t) => {
    await poll((n) => ({ at: now - 90_000 - n, covered: now }))
    const names = accounts.map((_, n) => nameOf(n))
    const first = async (query: string) => rowsOf(await read(query)).slice(0, 3)
    t.strictSame(await first("?sort=name"), names.slice(0, 3))
    t.strictSame(await first("?sort=-name"), names.toReversed().slice(0, 3))
    t.strictSame(await first("?sort=poll"), names.toReversed().slice(0, 3))
    t.strictSame(await first("?sort=-poll"), names.slice(0, 3))
    t.match(
      await read("?sort=name"),
      /aria-sort="ascending"><a href="\/console\?sort=-name">Partner/,
    )
    t.match(
      await read("?sort=-name"),
      /aria-sort="descending"><a href="\/console\?sort=name">Partner/,
    )
    t.match(await read("?sort=nonsense"), "300 of 300 need attention", "as without")
  })

  await t.test("GET /console shows the partners of a state, and those with a text in their names", async (t) => {
    await poll((n) => ({ at: n % 2 ? now : now - 90_000, covered: now }))
    t.match(await read("?state=silent"), "1 to 30 of 150 partners")
    t.match(await read("?state=silent&page=5"), "121 to 150 of 150 partners")
    const text = await read("?q=-29")
    t.strictSame(rowsOf(text).toSorted(), Array.from({ length: 10 }, (_, n) => nameOf(290 + n)))
    t.match(text, 'value="-29"')
    t.match(await read("?q=nobody"), "There is no such partner.")
    t.match(await read("?page=-1&state=silent&page=x"), "1 to 30 of 150 partners")
  })
})

function nameOf(n: number): string {
  return `partner-${String(n).padStart(3, "0")}`
}
