import t from "tap"
import { mysqlInspection } from "../../../../core/data/mysql/inspection.ts"
import { freshDatabase, withoutMysql } from "../../../support/database.ts"

t.test("findMissingTriggers rejects if it cannot find out, and calls no trigger missing", {
  skip: withoutMysql,
}, async (t) => {
  const { writer } = await freshDatabase(t, "mysql")
  const find = (name: string) =>
    mysqlInspection.findMissingTriggers(writer, [{ name, table: "guest" }])
  const [absent, tooLong] = ["no_such_trigger", "x".repeat(65)]
  t.strictSame(await find("guest_log_delete"), [])
  t.strictSame(await find(absent), [{ name: absent, table: "guest" }])
  await t.rejects(find(tooLong), { code: "ER_TOO_LONG_IDENT" })
})
