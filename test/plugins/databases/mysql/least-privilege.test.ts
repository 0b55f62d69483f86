import { setTimeout } from "node:timers/promises"
import type mysql from "mysql2/promise"
import t from "tap"
import { pruneChangeLog } from "../../../../core/change-log/prune.ts"
import { listAudit, recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { grantStatements } from "../../../../plugins/databases/mysql/privileges.ts"
import { pruneAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { renewHash } from "../../../../core/access/accounts.ts"
import { pruneFailures } from "../../../../core/access/failed-log-ins.ts"
import {
  createAccount,
  revokeSessions,
  setDisabled,
  setPassword,
} from "../../../../plugins/capabilities/accounts/change-account.ts"
import { grantAccess, withdrawAccess } from "../../../../plugins/capabilities/accounts/grants.ts"
import {
  listInstances,
  pruneInstances,
  removeInstance,
  renewInstance,
} from "../../../../plugins/capabilities/presence/instances.ts"
import { prunePartners } from "../../../../plugins/capabilities/partners/prune-partners.ts"
import { insertSession, pruneSessions } from "../../../../core/access/sessions.ts"
import type { Database } from "../../../../core/data/database.ts"
import { withAccountChanges } from "../../../../plugins/capabilities/scaffold/grants.ts"
import { tablesOf } from "../../../../core/data/storage.ts"
import type { Tables } from "../../../../core/data/table.ts"
import { allStorages, storagesWithout } from "../../../support/storages.ts"
import { migrate } from "../../../../core/data/migrate.ts"
import { startInstance } from "../../../conformance/instance.ts"
import { secret, testConfig } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { emptyRow } from "../../../support/sync-rows.ts"
import { runCommand } from "../../../support/run-command.ts"
import { createUser, whyNoUsers } from "../../../support/users.ts"
import { freshUrl, openFor } from "../../../support/database.ts"
import { logInto } from "../../../support/service.ts"

const tables = tablesOf(allStorages)

const skip = await whyNoUsers()

t.test("grantStatements quotes names", (t) => {
  const [first] = grantStatements({ name: "o'brien\\", host: "10.%", database: "a`b" }, tables)
  t.equal(
    first,
    "grant select, insert, update, delete on `a``b`.`organization` to 'o''brien\\\\'@'10.%';",
  )
  t.end()
})

t.test("grantStatements lets records be written only where connect does so", (t) => {
  const onGuests = (tables: Tables) =>
    grantStatements({ name: "a", host: "%", database: "b" }, tables)
      .find((statement) => statement.includes("`guest`"))?.split(" on ")[0]
  t.equal(onGuests(tablesOf(storagesWithout(["connect"]))), "grant select")
  t.equal(onGuests(tables), "grant select, insert, update, delete")
  t.end()
})

t.test(
  "accounts and grants can be changed with the privileges of --accounts, and not with those of serving",
  {
    skip,
  },
  async (t) => {
    const url = await freshUrl(t, "mysql")
    const database = await openFor(t, url)
    await migrate(database)
    const build = new Builder(database, { isAlone: true })
    await build.organization("acme")
    const id = await build.account("ann")
    const ann = { id, username: "ann", role: "partner", password: "a hash", epoch: 0 } as const
    const { owner, user, url: own } = await createUser(t, url)
    const by = { actor: "op", address: "192.0.2.1", request: "r", record: recordChange }
    const account = { username: "bob", role: "partner", passwordHash: "a hash" } as const
    const changes = (users: Database): Record<string, () => Promise<unknown>> => ({
      createAccount: () => createAccount(users, account, by),
      setPassword: () => setPassword(users, "ann", "another hash", by),
      renewHash: () => renewHash(users, ann, "a renewed hash"),
      revokeSessions: () => revokeSessions(users, "ann", by),
      setDisabled: () => setDisabled(users, "ann", true, { by }),
      grantAccess: () => grantAccess(users, "ann", { organization: "acme" }, {}, by),
      withdrawAccess: () => withdrawAccess(users, "ann", { organization: "acme" }, by),
    })
    for (const statement of grantStatements(user, tables)) await owner.query(statement)
    for (const [name, change] of Object.entries(changes(await openFor(t, own)))) {
      await t.rejects(change(), { name: "UserError", message: /database user may not/ }, name)
    }
    t.equal((await listAudit(database, { limit: 10 })).length, 0)
    for (const statement of grantStatements(user, withAccountChanges(tables))) {
      await owner.query(statement)
    }
    for (const change of Object.values(changes(await openFor(t, own)))) await change()
    t.equal((await listAudit(database, { limit: 10 })).length, 6)

    const env = { DATABASE_URL: own, SESSION_SECRET: secret }
    t.match(await runCommand("resync", { env }), { code: 1, err: /as the owner of the tables/ })
    t.strictSame(await database.writer.selectFrom("clock_step").selectAll().execute(), [])
  },
)

t.test("the service runs with exactly the privileges of grantStatements", { skip }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization("acme"))
  await build.guest(event)
  const account = await build.account("ann")
  await build.grant("ann", { event })

  const { owner, user, url: own } = await createUser(t, url)
  for (const statement of grantStatements(user, tables)) await owner.query(statement)
  const errors: unknown[] = []
  const instance = await startInstance(await testConfig(own), {
    log: {
      debug: () => {},
      info: () => {},
      warn: (entry) => errors.push(entry),
      error: (entry) => errors.push(entry),
    },
  })
  const failing = await instance.fetch(
    new Request("http://localhost/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ann", password: "wrong" }),
    }),
  )
  t.equal(failing.status, 401)
  const get = await logInto(instance.fetch, "ann")
  const base = "/connector-b/v1/events"
  for (
    const path of ["/session", base, `${base}/${event}/guests?q=ada`, `${base}/${event}/items`]
  ) {
    t.equal((await get(path)).status, 200, path)
  }

  // A row of each kind that has expired: only those need the right to delete.
  const session = await insertSession(database, account, 60)
  await database.writer.updateTable("session").set({ expires: 1 }).where("id", "=", session)
    .execute()
  const expired = { name: "x", points: 1, expires: 1, blocked_until: 1 }
  await database.writer.insertInto("rate_limit").values(expired).execute()
  const entry = {
    ...{ at: 1, action: "log-in" as const, address: "192.0.2.1" },
    ...{ request_id: "x", status: 204, milliseconds: 1 },
  }
  await database.writer.insertInto("audit_log").values(entry).execute()
  await database.writer.deleteFrom("guest").where("event_id", "=", event).execute()
  const isSettled = async () => {
    const [[row]] = await owner.query<mysql.RowDataPacket[]>(
      "select settled >= (select max(seq) from event_change) as yes from change_state",
    ) as unknown as [[{ yes: number }]]
    return row.yes === 1
  }
  while (!await isSettled()) await setTimeout(20)
  // The event, the guest, and its deletion.
  await owner.query("update event_change set at = 1")
  await owner.query("update deletion set at = 1")
  await owner.query("update vacant_position set at = 1")
  await owner.query("insert into clock_step values (1, 0)")
  await pruneFailures(instance.database)
  await pruneSessions(instance.database)
  const forgotten = emptyRow({ account_id: account, event_id: "", list: "events", last_poll: 1 })
  await database.writer.insertInto("sync_state").values(forgotten).execute()
  t.equal(await prunePartners(instance.database), 1)
  const [left] = await owner.query<mysql.RowDataPacket[]>(
    "select * from sync_state where last_poll = 1",
  )
  t.strictSame(left, [])
  const process = {
    ...{ id: crypto.randomUUID(), host: "h", pid: 1, url: null, version: "v", ready: 1 },
    ...{ config_file: "f", config_hash: "h", config_since: 1 },
    ...{ reload_at: null, reload_result: null, reload_reason: null },
  }
  const { signal } = new AbortController()
  for (let time = 0; time < 2; time++) await renewInstance(instance.database, process, signal)
  t.equal((await listInstances(instance.database)).length, 1)
  await removeInstance(instance.database, process.id, signal)
  await pruneInstances(instance.database)
  t.ok(
    (await instance.metrics()).find(({ name }) => name === "event_export_partners")?.values.length,
  )
  t.equal(await pruneAudit(instance.database, 1), 1)
  // More than these are a second old on a busy machine.
  t.ok(await pruneChangeLog(instance.database, 1) >= 6)

  const { writer } = instance.database
  const forbidden = {
    "change accounts": writer.updateTable("account").set({ role: "operator" }),
    "grant access": writer.deleteFrom("access_grant"),
    "change the audit log": writer.updateTable("audit_log").set({ account: "x" }),
    "write the change log": writer.updateTable("event_change").set({ mark: 1 }),
    "change deletions": writer.updateTable("deletion").set({ at: 1 }),
  }
  for (const [action, statement] of Object.entries(forbidden)) {
    await t.rejects(statement.execute() as Promise<unknown>, {
      code: "ER_TABLEACCESS_DENIED_ERROR",
    }, `cannot ${action}`)
  }
  await instance.close()
  t.strictSame(errors, [])
  t.equal((await listAudit(database, { limit: 10 })).length, 5)
})
