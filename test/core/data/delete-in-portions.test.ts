import t from "tap"
import { deleteInPortions } from "../../../core/data/delete-in-portions.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, background } = database
  /** Ten rows, of which four are found at a time. */
  const begin = async () => {
    const names = Array.from({ length: 10 }, (_, n) => ({ name: `${n}`, points: 1, expires: 1 }))
    await writer.deleteFrom("rate_limit").execute()
    await writer.insertInto("rate_limit").values(names).execute()
  }
  const deletion: Parameters<typeof deleteInPortions<Schema, { name: string }>>[1] = {
    find: () => background.selectFrom("rate_limit").select("name").limit(4).execute(),
    remove: (db, { name }) => db.deleteFrom("rate_limit").where("name", "=", name).execute(),
  }
  const left = async () => (await writer.selectFrom("rate_limit").select("name").execute()).length
  t.beforeEach(begin)

  await t.test("deleteInPortions deletes one portion after the other, and returns the number of rows", async (t) => {
    t.equal(await deleteInPortions(background, deletion), 10)
    t.equal(await left(), 0)
    t.equal(await deleteInPortions(background, deletion), 0)
  })

  await t.test("deleteInPortions stops within a portion when the signal aborts, and keeps what it did", async (t) => {
    const stop = new AbortController()
    let removed = 0
    const remove: typeof deletion.remove = async (db, row) => {
      if (++removed === 6) stop.abort()
      return await deletion.remove(db, row)
    }
    t.equal(await deleteInPortions(background, { ...deletion, remove }, stop.signal), 6)
    t.equal(await left(), 4)
    t.equal(await deleteInPortions(background, deletion, stop.signal), 0)
  })

  await t.test("deleteInPortions lets other work run in between", async (t) => {
    let [hasRun, portions] = [false, 0]
    setImmediate(() => hasRun = true)
    const find = async (limit: number) => {
      if (++portions === 2) t.ok(hasRun)
      return await deletion.find(limit)
    }
    await deleteInPortions(background, { ...deletion, find })
    t.equal(await left(), 0)
  })
})
