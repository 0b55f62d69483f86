import t from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { startLedger } from "../../support/ledger.ts"

type Bundle = Readonly<Record<string, readonly { readonly updated: number }[]>>

await onEveryEngine(t, async (t, engine) => {
  for (const filter of ["", "&bucket=0", "&q=item"]) {
    for (const walk of ["cursor", "offset"] as const) {
      await t.test(`pages of items by ${walk}${filter && `, ${filter.slice(1)}`}: each record is in a range`, async (t) => {
        const ledger = await startLedger(t, engine)
        for (const [index, category] of itemCategories.entries()) {
          for (let n = 0; n < 2 * index; n++) {
            const updated = past + 40_000 * n + index
            await ledger.build.item(category, ledger.event, { updated })
          }
        }
        const seen: number[] = []
        let next: string | undefined = `items?since=${past + 1}&limit=2${filter}`
        for (let offset = 0; next !== undefined;) {
          const response: Response = await ledger.request(next)
          t.equal(response.status, 200)
          const body: Bundle = await response.json()
          const times = Object.values(body).flat().map(({ updated }) => updated)
          seen.push(...times)
          const cursor = /(\?cursor=[^>]*)>/.exec(response.headers.get("link") ?? "")?.[1]
          offset += 2
          const more = walk === "cursor" ? cursor && `items${cursor}` : times.length > 0 &&
            `items?since=${past + 1}&limit=2&offset=${offset}${filter}`
          next = more || undefined
        }
        await ledger.written()
        const rows = await ledger.database.writer.selectFrom("disclosure").selectAll().execute()
        t.ok(seen.length > 0 || filter === "&bucket=0")
        const isIn = (time: number) =>
          rows.some(({ from_time, to_time }) => from_time <= time && time <= to_time)
        t.strictSame(seen.filter((time) => !isIn(time)), [])
        t.equal(rows.every(({ whole }) => whole === Number(filter === "")), true)
        if (filter === "" && walk === "cursor") {
          t.match(rows, [{ from_time: past + 1 }], "one row, from since on")
          t.equal(rows.length, 1)
        }
      })
    }
  }

  await t.test("a page of guests that change meanwhile covers the time after the clock of the request", async (t) => {
    const ledger = await startLedger(t, engine)
    const far = Math.floor(Date.now() / 1000) + 5000
    const guest = await ledger.build.guest(ledger.event, { updated: far, created: far })
    await ledger.request("guests")
    t.match(await ledger.recipientsOf(guest), [{ account: "acme-export" }])
  })
})
