import { sql } from "kysely"
import t from "tap"
import type { Trigger } from "../../../../core/data/dialect.ts"
import { mysqlInspection } from "../../../../plugins/databases/mysql/inspection.ts"
import { findDatabaseWarnings } from "../../../../plugins/capabilities/check/database-warnings.ts"
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

t.test("findUnset names what a connection has not set, with the value found", {
  skip: withoutMysql,
}, async (t) => {
  const database = await freshDatabase(t, "mysql")
  t.strictSame(await database.findUnset(), [])
  await database.writer.connection().execute(async (db) => {
    await sql`set session sql_mode = '', time_zone = '+05:45', foreign_key_checks = 0`.execute(db)
    await sql`set session transaction isolation level read committed`.execute(db)
    const unset = await mysqlInspection.findUnset(db, "reading")
    t.strictSame(unset.sort(), [
      "foreign_key_checks is OFF for reading",
      "sql_mode is empty for reading",
      "time_zone is +05:45 for reading",
      "transaction_isolation is READ-COMMITTED for reading",
      "transaction_read_only is OFF for reading",
    ])
    Object.defineProperty(database, "findUnset", { value: () => Promise.resolve(unset) })
  })
  t.match(await findDatabaseWarnings(database), [{
    about: "database.url",
    message: /^foreign_key_checks is OFF for reading, .*although each connection sets it/,
  }])
})
