import t from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { startLedger } from "../../support/ledger.ts"

type Bundle = Readonly<Record<string, readonly { readonly updated: number }[]>>

await onEveryEngine(t, async (t, engine) => {
  for (const filter of ["", "&q=item"]) {
    for (const walk of ["cursor", "offset"] as const) {
      await t.test(`a page of items by ${walk}${filter}: its range has each of its records`, async (t) => {
        const { database, build, event, request, written } = await startLedger(engine)
        for (const [index, category] of itemCategories.entries()) {
          for (let n = 0; n < 3 + index % 2; n++) {
            const updated = past + 100_000 * n + 10_000 * index
            await build.item(category, event, { updated })
          }
        }
        const start = `items?since=${past}&limit=1${filter}`
        let next: string | undefined = start
        let pages = 0
        for (let offset = 1; next !== undefined; offset++) {
          const response: Response = await request(next)
          const body: Bundle = await response.json()
          const times = Object.values(body).flat().map(({ updated }) => updated)
          await written()
          const rows = await database.writer.selectFrom("disclosure").selectAll().execute()
          await database.writer.deleteFrom("disclosure").execute()
          if (times.length === 0) break
          t.match(rows, [{ whole: Number(filter === "") }])
          const [row] = rows
          t.ok(row && row.from_time <= Math.min(...times) && Math.max(...times) <= row.to_time)
          if (filter !== "") {
            t.match(row, { from_time: Math.min(...times), to_time: Math.max(...times) })
          }
          pages++
          const cursor = /(\?cursor=[^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
          if (walk === "offset") next = `${start}&offset=${offset}`
          else next = cursor && `items${cursor}`
        }
        t.equal(pages, 4)
      })
    }
  }

  await t.test("a whole walk by cursor is one row, from since to the time of the walk", async (t) => {
    const { database, build, event, request, written } = await startLedger(engine)
    await build.guests(event, 5)
    const far = Math.floor(Date.now() / 1000) + 5000
    await build.guest(event, { updated: far })
    let next: string | undefined = `guests?since=${past - 9}&limit=2`
    for (; next !== undefined;) {
      const { headers }: Response = await request(next)
      const cursor = /(\?cursor=[^>]*)>/.exec(headers.get("link") ?? "")?.[1]
      next = cursor && `guests${cursor}`
    }
    await written()
    const rows = await database.writer.selectFrom("disclosure").selectAll().execute()
    t.match(rows, [{ from_time: past - 9, to_time: far }])
    t.equal(rows.length, 1)
  })
})
