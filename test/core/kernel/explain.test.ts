import { recorded } from "../../support/recorded.ts"
import { randomUUID } from "node:crypto"
import { CompiledQuery, sql } from "kysely"
import t from "tap"
import { Activity } from "../../../core/access/activity.ts"
import { recordRefusals } from "../../../plugins/capabilities/partners/refusal-trail.ts"
import { FailedLogIns, pruneFailures } from "../../../core/access/failed-log-ins.ts"
import { pruneNetworks } from "../../../core/access/known-networks.ts"
import { LogIn } from "../../../core/access/log-in.ts"
import { endSession } from "../../../core/access/session-ends.ts"
import { pruneSessions, Sessions } from "../../../core/access/sessions.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { addDisclosures } from "../../../plugins/capabilities/disclosures/ledger.ts"
import { addNotices } from "../../../plugins/capabilities/disclosures/notices.ts"
import { pruneDisclosures } from "../../../plugins/capabilities/disclosures/prune.ts"
import { foldEvent } from "../../../core/change-log/versions.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import type { Database } from "../../../core/data/database.ts"
import { pruneInstances } from "../../../plugins/capabilities/presence/instances.ts"
import { prunePartners } from "../../../plugins/capabilities/partners/prune-partners.ts"
import { writeSync } from "../../../plugins/capabilities/partners/write-sync.ts"
import { pruneAudit } from "../../../plugins/capabilities/audit/audit-log.ts"
import { secret } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { emptyRow } from "../../support/sync-rows.ts"
import { freshDatabase, withoutMysql } from "../../support/database.ts"
import { watched } from "../../support/statements.ts"

/** Rows of each table; those at a multiple of `every` have expired. */
const [rows, every] = [6000, 20]
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const drops = { dropped: 0 }

/** An error about an event that the account may not read. */
const refusedChange = {
  row: emptyRow({
    ...{ account_id: idOf(1), event_id: idOf(2), error_at: 1, error_status: 404 },
    ...{ error_code: "event_not_found", error_request: "r" },
  }),
  isReadable: false,
  starts: [],
  completed: [],
  hours: [{ hour: 0, polls: 0, walks: 0, records: 0, errors: 1, lag: null }],
} as const

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const database = await freshDatabase(t, "mysql")
  await fill(database)
  const sessions = new Sessions(database, {
    secrets: [secret],
    lifetime: 1000,
    cookie: "event_export",
    secure: true,
  })
  const work: Record<string, (database: Database) => Promise<unknown>> = {
    "a log-in": (database) => logInto(database, sessions, password),
    "a failed log-in": (database) => logInto(database, sessions, "wrong"),
    "the uses of a session": async (database) => {
      const activity = recorded({ log, drops }, (recorders) => new Activity(database, recorders))
      const { id, account_id } = await database.writer
        .selectFrom("session").select(["id", "account_id"]).where("id", "=", idOf(1))
        .executeTakeFirstOrThrow()
      const account = { id: account_id, username: "ann", role: "partner", epoch: 0 } as const
      activity.recordRequest({ id, account, expires: 0, now: 0 })
      await activity.close()
    },
    "the last refused request": async (database) => {
      const trail = recorded({ log, drops }, (recorders) => ({
        record: recordRefusals(database, recorders),
      }))
      const line = { code: "invalid_credentials", id: "r", action: "log-in", address: "192.0.2.1" }
      const ended = { account: idOf(1), session: idOf(1), epoch: 0 }
      trail.record({ line, ended } as never)
      trail.record({ line: { ...line, account: "ann" } } as never)
      await trail.close()
    },
    "ending a session": (database) => endSession(database, idOf(1), "revoked"),
    "deleting failures": (database) => pruneFailures(database),
    "deleting sessions": (database) => pruneSessions(database),
    "deleting networks": (database) => pruneNetworks(database),
    "deleting audit entries": (database) => pruneAudit(database, 365),
    "deleting lists and hours of partners": (database) => prunePartners(database),
    "deleting processes": (database) => pruneInstances(database),
    "what a partner does, with an error about an unknown event": (database) =>
      writeSync(database, [refusedChange], new AbortController().signal),
    "deleting changes": (database) => pruneChangeLog(database, 90 * 86_400),
    "adding to the ledger": (database) =>
      addDisclosures(database, [{
        ...subject,
        fields: [],
        whole: true,
        from: 5,
        to: 9,
        at: 9,
        next: 9,
      }], {
        near: 3600,
        known: new Set(),
        signal: AbortSignal.timeout(10_000),
      }),
    "adding notices": (database) =>
      addNotices(
        database,
        (["told", "acknowledged", "attested"] as const).map((kind) => ({
          ...subject,
          list: "guests",
          kind,
          from: 0,
          to: 4e9,
          at: 9,
        })),
        AbortSignal.timeout(10_000),
      ),
    "deleting disclosures and notices": (database) => pruneDisclosures(database, 365),
    "the search for open changes": (database) => findWatermark(database),
    "folding the changes of an event": (database) => foldEvent(database, idOf(1)),
  }
  for (const [name, run] of Object.entries(work)) {
    await t.test(`${name}: no statement examines more than a portion of a table`, async (t) => {
      const statements: CompiledQuery[] = []
      await run(watched(database, statements))
      t.ok(statements.length > 0)
      for (const { sql, parameters } of statements) {
        if (/^insert into \S+ \(.*\) values/.test(sql)) continue
        const query = CompiledQuery.raw(sql, [...parameters])
        for (const step of await explain(database, query)) {
          t.ok(isBounded(step, sql), `${sql}\n${JSON.stringify(step)}`)
        }
      }
    })
  }

  await t.test("the plan of a scan examines more", async (t) => {
    const query = database.writer.selectFrom("session").select("id").where("used", "=", 1)
    const plan = await explain(database, query.compile())
    t.notOk(plan.every((step) => isBounded(step, query.compile().sql)), JSON.stringify(plan))
  })
})

async function logInto(database: Database, sessions: Sessions, word: string): Promise<void> {
  const logIn = new LogIn(database, sessions, { secret })
  const attempt = { username: "ann", password: word, address: "192.0.2.1" }
  const { account } = await logIn.attempt(attempt)
  if (!account) throw new Error("the account is missing")
}

const subject = { eventId: idOf(1), accountId: idOf(1), prefix: "/p", list: "guests" }

/** One table of a plan. */
interface Step {
  readonly table: string | null
  readonly type: string | null
  readonly rows: number | null
  readonly Extra: string | null
}

async function explain({ writer }: Database, query: CompiledQuery): Promise<readonly Step[]> {
  const sql = `explain format=traditional ${query.sql}`
  return (await writer.executeQuery<Step>(CompiledQuery.raw(sql, [...query.parameters]))).rows
}

/** True if a step reads few rows, or stops at the limit because it reads in the order of an index. */
function isBounded({ table, type, rows, Extra }: Step, sql: string): boolean {
  // The rows of a subquery are those of another step.
  if (table?.startsWith("<derived")) return true
  const isOrdered = (type === "range" || type === "index") &&
    !/filesort|temporary/.test(Extra ?? "")
  return (rows ?? 0) <= 1200 || (isOrdered && / limit /.test(sql))
}

function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
}

async function fill(database: Database): Promise<void> {
  const { writer } = database
  const account_id = await new Builder(database).account("ann")
  const now = Math.floor(Date.now() / 1000)
  const numbers = Array.from({ length: rows }, (_, n) => n)
  const at = (n: number) => n % every === 0 ? 1 : now
  await writer.insertInto("session").values(numbers.map((n) => ({
    id: idOf(n),
    account_id,
    created: 1,
    expires: n % every === 0 ? 1 : now + 10_000,
  }))).execute()
  await writer.insertInto("rate_limit").values(numbers.map((n) => ({
    name: `${n}`,
    points: 1,
    expires: n % every === 0 ? 1 : now + 10_000,
  }))).execute()
  await writer.insertInto("log_in_network").values(
    numbers.slice(0, 90).map((n) => ({
      account_id,
      network: `192.0.2.${n}`,
      last_used: at(n),
    })),
  ).execute()
  await writer.insertInto("audit_log").values(numbers.map((n) => ({
    action: "log-in" as const,
    at: at(n),
    account: null,
    address: "",
    request_id: "",
    status: 204,
    milliseconds: 1,
  }))).execute()
  await writer.insertInto("event_change").values(numbers.map((n) => ({
    event_id: idOf(n % 50),
    at: n < 300 ? 1 : now,
    mark: n,
  }))).execute()
  await writer.insertInto("deletion").values(numbers.map((n) => ({
    event_id: idOf(1),
    category: "guests",
    record_id: randomUUID(),
    at: at(n),
  }))).execute()
  await writer.insertInto("vacant_position").values(numbers.map((n) => ({
    event_id: idOf(1),
    category: "guests",
    record_id: randomUUID(),
    updated: 1,
    at: n < 300 ? 1 : now,
  }))).execute()
  const lists = numbers.map((n) =>
    emptyRow({ account_id: idOf(n % 30), event_id: idOf(n), last_poll: at(n) })
  )
  for (let first = 0; first < rows; first += 1000) {
    await writer.insertInto("sync_state").values(lists.slice(first, first + 1000)).execute()
  }
  const counts = { polls: 1, walks: 1, records: 1, errors: 1 }
  await writer.insertInto("partner_hour").values(
    numbers.map((n) => ({ account_id: idOf(n), hour: at(n), ...counts })),
  ).execute()
  const ofAccount = (n: number) => ({
    event_id: idOf(n % 50),
    account_id: idOf(n % 70),
    prefix: "/p",
    list: "guests",
  })
  await writer.insertInto("disclosure").values(numbers.map((n) => ({
    ...ofAccount(n),
    fields: "some",
    whole: 1,
    from_time: n * 10_000,
    to_time: n * 10_000 + 10,
    first_at: 1,
    last_at: at(n),
    first_next: 1,
  }))).execute()
  await writer.insertInto("erasure_notice").values(numbers.map((n) => ({
    ...ofAccount(n),
    kind: "told" as const,
    from_time: n,
    to_time: n,
    at: at(n),
  }))).execute()
  await writer.updateTable("change_state").set({ settled: rows - 500 }).execute()
  await new FailedLogIns(database, secret).add([{ key: "another", free: 5 }])
  await sql`analyze table session, rate_limit, log_in_network, audit_log, event_change, deletion,
    vacant_position, sync_state, partner_hour, disclosure, erasure_notice`
    .execute(writer)
}
