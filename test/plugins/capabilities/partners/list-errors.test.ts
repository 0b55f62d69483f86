import t from "tap"
import { readErrorGroups } from "../../../../plugins/capabilities/partners/list-errors.ts"
import { freshDatabase, onEmbedded } from "../../../support/database.ts"

const since = 1_750_000_000
const error = {
  ...{ action: "list", address: "", milliseconds: 1, request_id: "", at: since },
  ...{ account: "ann" as string | null, status: 404, code: "a" as string | null, route: "/a" },
}
const group = {
  ...{ status: 404, code: "a", account: "ann", route: "/a" },
  ...{ count: 1, first: since, last: since, lastEvent: null, lastAddress: "" },
}

await onEmbedded(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const read = (account?: string) =>
    database.snapshot((snapshot) => readErrorGroups(snapshot, { since, account }))
  const add = async (...rows: Partial<typeof error>[]) => {
    await writer.insertInto("audit_log").values(rows.map((row) => ({ ...error, ...row })))
      .execute()
  }

  await t.test("readErrorGroups tells apart statuses, codes, accounts and endpoints, the latest first", async (t) => {
    await add(
      { request_id: "too early", at: since - 1 },
      { request_id: "1", at: since + 7 },
      { request_id: "2", status: 410 },
      { request_id: "3", code: "b" },
      { request_id: "4", account: "bob" },
      { request_id: "5", route: "/b" },
      { request_id: "no error", status: 200 },
      { request_id: "6", at: since + 9 },
      { request_id: "7" },
      { request_id: "8", status: 401, account: null, code: null },
    )
    const all = [
      { ...group, status: 401, code: "", account: null, lastRequestId: "8" },
      { ...group, count: 3, last: since + 9, lastRequestId: "7" },
      { ...group, route: "/b", lastRequestId: "5" },
      { ...group, account: "bob", lastRequestId: "4" },
      { ...group, code: "b", lastRequestId: "3" },
      { ...group, status: 410, lastRequestId: "2" },
    ]
    t.strictSame(await read(), all)
    t.strictSame(await read("ann"), all.filter(({ account }) => account === "ann"))
  })

  await t.test("readErrorGroups returns errors from before a rename as those of the account", async (t) => {
    await add(
      { request_id: "9", at: since + 3 },
      { request_id: "10", account: "amy" },
      { account: "amy", route: "/c" },
    )
    await writer.insertInto("audit_name").values({ former: "amy", account: "ann" }).execute()
    const all = await read()
    t.strictSame(all.slice(0, 2), [
      { ...group, route: "/c", lastRequestId: "" },
      { ...group, count: 5, last: since + 9, lastRequestId: "10" },
    ])
    t.notOk(all.some(({ account }) => account === "amy"))
    t.strictSame(await read("ann"), all.filter(({ account }) => account === "ann"))
  })

  await t.test("readErrorGroups returns the latest 200 groups", async (t) => {
    const many = Array.from({ length: 200 }, (_, n) => ({ account: `c${n}` }))
    await add(...many)
    const accounts = (await read()).map(({ account }) => account)
    t.strictSame(accounts, many.map(({ account }) => account).reverse())
  })
})
