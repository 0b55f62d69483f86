import { CompiledQuery } from "kysely"
import t from "tap"
import type { Database } from "../../../../../core/data/database.ts"
import { stuckLists } from "../../../../../plugins/capabilities/partners/list-conditions.ts"
import {
  readHistories,
  readListHistories,
} from "../../../../../plugins/capabilities/partners/state-history/read-history.ts"
import { recordStates } from "../../../../../plugins/capabilities/partners/state-history/record-states.ts"
import { Builder } from "../../../../support/builder.ts"
import { type Engine, freshDatabase, onEveryEngine } from "../../../../support/database.ts"
import { plansOf } from "../../../../support/statements.ts"
import { emptyRow } from "../../../../support/sync-rows.ts"

/** Matches a step that reads all of a table. */
const scans: Record<Engine, RegExp> = {
  mysql: /^(partner_\w+|past|sums|s) (ALL|index) /,
  sqlite: /^SCAN (partner_|past\b|sums\b|s\b)/,
}

const [partners, lists, past] = [60, 30, 6]
const [anHour, aDay] = [3600, 86_400]

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer, dialect } = database
  const build = new Builder(database)
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event_id = await build.event(await build.organization("acme"))
  await build.guest(event_id, { updated: now - 30 })
  const accounts: string[] = []
  for (let n = 0; n < partners; n++) {
    const account_id = await build.account(`p${n}`)
    accounts.push(account_id)
    const subjects = Array.from({ length: lists }, (_, n) => ({
      ...{ account_id, event_id, prefix: "/f/v1", list: `list-${n}` },
    }))
    await writer.insertInto("sync_state").values(
      subjects.map((subject) =>
        emptyRow({
          ...subject,
          ...{ last_poll: now, walk_started: now, walk_completed: now, completed_next: now },
        })
      ),
    ).execute()
    const ofPartner = { account_id, event_id: "", prefix: "", list: "" }
    await writer.insertInto("partner_state").values(
      [ofPartner, ...subjects].flatMap((subject) =>
        Array.from({ length: past }, (_, n) => {
          const began = now - (n + 1) * 10 * aDay
          return { ...subject, began, ended: began + anHour, state: "behind" as const }
        })
      ),
    ).execute()
    const months = [{ account_id, month: now - now % aDay, failing: 9, idle: 0 }]
    await writer.insertInto("partner_month").values(months).execute()
  }
  const [account = ""] = accounts
  await writer.insertInto("partner_state").values({
    ...{ account_id: account, event_id: "", prefix: "", list: "" },
    ...{ began: now - anHour, ended: null, state: "behind" },
  }).execute()
  const gap = { account_id: "", event_id: "", prefix: "", list: "", state: "not known" as const }
  await writer.insertInto("partner_state")
    .values({ ...gap, began: now - 40 * aDay, ended: now - 2 * aDay }).execute()
  await writer.insertInto("partner_look").values({ id: 1, at: now - 60 }).execute()
  if (engine === "mysql") {
    await writer.executeQuery(
      CompiledQuery.raw("analyze table partner_state, partner_month, sync_state, account"),
    )
  }
  const work = {
    readHistories: (database: Database) =>
      database.snapshot((snapshot) => readHistories(snapshot, now, accounts.slice(0, 30))),
    readListHistories: (database: Database) =>
      database.snapshot((snapshot) => readListHistories(snapshot, now, account)),
    recordStates: (database: Database) => recordStates(database, { retention: 90 * aDay }),
  }
  for (const [name, run] of Object.entries(work)) {
    await t.test(`${name}: no statement reads all of the history`, async (t) => {
      const plans = await plansOf(database, engine, run)
      const own = plans.filter(({ sql }) => /partner_(state|month|look)/.test(sql))
      t.ok(own.length >= 3)
      for (const { sql, steps } of own) {
        for (const step of steps) t.notMatch(step, scans[engine], `${step}: ${sql}`)
      }
      if (name !== "recordStates") return
      const open = own.filter(({ sql }) => /from .partner_state. where .ended. is null/.test(sql))
      t.match(open.map(({ steps }) => steps), [[/partner_state_ended/]])
      t.ok(own.some(({ sql }) => /^update .partner_look./.test(sql)), "it writes")
    })
  }

  await t.test("stuckLists reads only the lists that need a look", async (t) => {
    const plans = await plansOf(
      database,
      engine,
      (database) => database.snapshot((snapshot) => snapshot.run(stuckLists(snapshot, now))),
    )
    t.match(plans, [{ steps: [/sync_state_watched/] }])
  })

  await t.test("the plan of a scan of the history is found", async (t) => {
    const [plan] = await plansOf(
      database,
      engine,
      (database) =>
        database.writer.selectFrom("partner_state").select("state").where("began", "=", 1)
          .execute(),
    )
    t.match(plan?.steps, [scans[engine]])
  })
})
