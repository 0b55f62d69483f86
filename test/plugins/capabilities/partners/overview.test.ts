import t from "tap"
import { freshApp } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"
import { emptyRow } from "../../../support/sync-rows.ts"

const many = 60

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database: { writer } } = app
  await build.account("operator", "operator")
  const event_id = await build.event(await build.organization("acme"), { name: "Gala" })
  const now = Math.floor(Date.now() / 1000)
  const names = Array.from({ length: many }, (_, n) => `partner-${String(n).padStart(3, "0")}`)
  const accounts: string[] = []
  for (const name of names) {
    accounts.push(await build.account(name))
    await build.grant(name, { organization: "acme" })
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
  /** Has each partner poll at a time, and read everything until then. */
  const poll = async (timeOf: (n: number) => number) => {
    await writer.deleteFrom("sync_state").execute()
    await writer.insertInto("sync_state").values(accounts.map((account_id, n) => {
      const at = timeOf(n)
      const walk = { walk_started: at, walk_since: now, walk_next: at, walk_completed: at }
      const row = { account_id, event_id, last_poll: at, poll_interval: 60, ...walk }
      return emptyRow({ ...row, completed_next: now, acknowledged: now, acknowledged_at: at })
    })).execute()
  }

  await t.test("GET /console of partners who are well has their names, and says that none needs attention", async (t) => {
    await poll(() => now)
    const text = await read()
    t.match(text, "No partner needs attention.")
    t.match(text, /<summary>[^]*<b>60<\/b><\/summary>/)
    t.strictSame(rowsOf(text), [])
    for (const name of names) t.ok(text.includes(`<a href="/console/partners/${name}">${name}</a>`))
  })

  await t.test("GET /console shows what is wrong in full, the longest first, and folds the others", async (t) => {
    await poll((n) => n < 3 ? now - 90_000 + n : now)
    const text = await read()
    t.match(text, "3 of 60 need attention")
    t.strictSame(rowsOf(text), names.slice(0, 3))
    t.match(text, /silent[^]*It has not polled/)
    t.match(text, /<b>57<\/b><\/summary>/)
  })

  await t.test("GET /console of partners who are all wrong shows 30, and leads to the others", async (t) => {
    await poll((n) => now - 90_000 - n)
    const text = await read()
    t.equal(rowsOf(text).length, 30)
    t.match(text, "30 more that need attention")
    const pages = [text, await read("?sort=state&page=2")]
    t.equal(new Set(pages.flatMap(rowsOf)).size, many)
    t.strictSame(rowsOf(await read("?sort=state&page=3")), [])
  })

  await t.test("GET /console sorts by name and last poll, in both directions, and says so", async (t) => {
    await poll((n) => now - 90_000 - n)
    const orders = { name: names, "-name": names.toReversed(), poll: names.toReversed() }
    for (const [sort, order] of Object.entries({ ...orders, "-poll": names })) {
      t.strictSame(rowsOf(await read(`?sort=${sort}`)), order.slice(0, 30), sort)
    }
    const heading = (direction: string, next: string) =>
      `aria-sort="${direction}"><a href="/console?sort=${next}">Partner`
    t.match(await read("?sort=name"), heading("ascending", "-name"))
    t.match(await read("?sort=-name"), heading("descending", "name"))
    t.match(await read("?sort=nonsense"), "60 of 60 need attention", "as without")
  })

  await t.test("GET /console shows the partners of a state, and those with a text in their names", async (t) => {
    await poll((n) => n % 3 ? now - 90_000 : now)
    t.match(await read("?state=silent"), "1 to 30 of 40 partners")
    t.match(await read("?state=silent&page=2"), "31 to 40 of 40 partners")
    const text = await read("?q=-05")
    t.strictSame(rowsOf(text).toSorted(), names.slice(50))
    t.match(text, 'value="-05"')
    t.match(await read("?q=nobody"), "There is no such partner.")
    t.match(await read("?page=-1&state=silent&page=x"), "1 to 30 of 40 partners")
  })

  await t.test("GET /console has requests over a limit among the errors, with the partner", async (t) => {
    const error = { error_status: 429, error_code: "too_fast", error_request: "r-429" }
    const shown = async (at: number) => {
      await writer.updateTable("sync_state").set({ error_at: at, ...error })
        .where("account_id", "=", accounts[7] ?? "").execute()
      return /<section id="errors"[^]*?<\/section>/.exec(await read())?.[0] ?? ""
    }
    t.match(
      await shown(now - 60),
      /429 too_fast[^]*partners\/partner-007"[^]*f\/<wbr>v1 guests[^]*r-429/,
    )
    t.notMatch(await shown(now - 90_000), "429 too_fast", "two days later")
  })
})
