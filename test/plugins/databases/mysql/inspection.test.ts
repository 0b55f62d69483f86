import t from "tap"
import type { Trigger } from "../../../../core/data/dialect.ts"
import { mysqlInspection } from "../../../../plugins/databases/mysql/inspection.ts"
import { triggersOf } from "../../../../core/data/triggers.ts"
import { freshDatabase, withoutMysql } from "../../../support/database.ts"

t.test("findTriggerFaults rejects if it cannot find out, and calls no trigger missing", {
  skip: withoutMysql,
}, async (t) => {
  const database = await freshDatabase(t, "mysql")
  const find = (trigger: Trigger) => mysqlInspection.findTriggerFaults(database.writer, [trigger])
  const trigger = triggersOf(database).find(({ name }) => name === "guest_delete")
  if (!trigger) throw new Error("guests have no such trigger")
  const absent = { ...trigger, name: "no_such_trigger" }
  t.strictSame(await find(trigger), [])
  t.strictSame(await find(absent), [{ trigger: absent, fault: "missing" }])
  await t.rejects(find({ ...trigger, name: "x".repeat(65) }), { code: "ER_TOO_LONG_IDENT" })
})
