import { sql } from "kysely"
import t from "tap"
import { findMissing } from "../../../core/data/check-tables.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { creating } from "../../../core/data/create-tables.ts"
import type { Storage } from "../../../core/data/storage.ts"
import { allStorages } from "../../support/storages.ts"
import { id, integer, nullable, type RowsOf, seconds, table } from "../../../core/data/table.ts"
import type { Database } from "../../../core/data/database.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

const tables = {
  visit: table({
    privileges: ["select", "insert", "update"],
    columns: { account_id: id, visits: integer, last: nullable(seconds) },
    key: ["account_id"],
  }),
}

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof tables> {}
}

/** The storage of a capability that nobody has written yet. */
const visits: Storage = {
  name: "visits",
  tables,
  migrations: {
    "visits-0001": creating(tables),
  },
}

async function addVisit(
  { writer, dialect }: Database,
  account_id: string,
): Promise<void> {
  const insert = writer.insertInto("visit").values({ account_id, visits: 1 })
  await dialect.orUpdate(insert, "account_id", { visits: sql`visit.visits + 1` }).execute()
}

await onEveryEngine(t, async (t, engine) => {
  await t.test("a capability declares a table, and queries it beside those of the kernel", async (t) => {
    const url = await freshUrl(t, engine)
    await migrate(await openFor(t, url))
    const storages = { on: [...allStorages.on, visits], off: [] }
    const database = await openFor(t, url, { storages })
    t.strictSame(await findMissing(database), ["migration visits-0001", "visit"])
    t.strictSame(await migrate(database), ["visits-0001"])
    await addVisit(database, "a")
    await addVisit(database, "a")
    const read = () =>
      database.snapshot(({ db, run }) =>
        run(
          db.selectFrom("visit").leftJoin("account", "account.id", "visit.account_id")
            .select(["visit.account_id", "visits", "last", "account.username"]),
        )
      )
    t.strictSame((await read()).map((row) => ({ ...row })), [
      { account_id: "a", visits: 2, last: null, username: null },
    ])
    await database.writer.updateTable("visit").set({ last: 7 }).execute()
    const last: number | null | undefined = (await read())[0]?.last
    t.equal(last, 7, "its type is inferred")
  })
})
