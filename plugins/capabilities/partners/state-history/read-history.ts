import type { Snapshot } from "../../../../core/capability.ts"
import { groupsOf } from "../alike.ts"
import { hourOf } from "../sync-change.ts"
import {
  anHour,
  daysOf,
  hoursOf,
  type Known,
  monthOf,
  type MonthShare,
  type Run,
  type SeenState,
  shareOf,
} from "./hours.ts"

/** Days that are shown. */
export const shownDays = 30

/** What a partner was like in the last 30 days, and in this month. */
export interface PartnerHistory {
  /** The beginning of the first hour and day, in Unix seconds. */
  readonly first: number
  /** The worst state of each hour, the last one the present. */
  readonly hours: readonly SeenState[]
  readonly days: readonly SeenState[]
  readonly share: MonthShare
}

/** What a list was like in these hours. */
export interface ListHistory {
  readonly eventId: string
  readonly prefix: string
  readonly list: string
  readonly hours: readonly SeenState[]
}

/** Reads what partners were like, by the ids of their accounts: of the last 30 days, the present one included. */
export async function readHistories(
  snapshot: Snapshot,
  now: number,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, PartnerHistory>> {
  const { db, run } = snapshot
  if (accountIds.length === 0) return new Map()
  const shown = shownOf(now)
  const known = await readKnown(snapshot, shown.first)
  const accounts = await run(
    db
      .selectFrom("account")
      .leftJoin(
        "partner_month as sums",
        (join) =>
          join.onRef("sums.account_id", "=", "account.id").on(
            "sums.month",
            "=",
            monthOf(known.until),
          ),
      )
      .select(["account.id", "account.created", "sums.failing", "sums.idle"])
      .where("account.id", "in", accountIds),
  )
  const rows = await run(
    db
      .selectFrom("partner_state")
      .select(["account_id", "began", "ended", "state"])
      .where("account_id", "in", accountIds)
      .where("event_id", "=", "")
      .where("prefix", "=", "")
      .where("list", "=", "")
      .where((eb) => eb.or([eb("ended", "is", null), eb("ended", ">", shown.first)])),
  )
  const runs = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map(accounts.map(({ id, created, failing, idle }) => {
    const own = { ...known, since: Math.max(known.since, created) }
    const hours = hoursOf(runs.get(id) ?? [], own, shown)
    const share = shareOf({ failing: failing ?? 0, idle: idle ?? 0 }, own)
    return [id, { first: shown.first, hours, days: daysOf(hours), share }]
  }))
}

/** Reads what the lists of a partner were like: of those that were not in sync all the time. */
export async function readListHistories(
  snapshot: Snapshot,
  now: number,
  accountId: string,
): Promise<readonly ListHistory[]> {
  const { db, run } = snapshot
  const shown = shownOf(now)
  const known = await readKnown(snapshot, shown.first)
  const rows = await run(
    db
      .selectFrom("partner_state as past")
      .innerJoin("sync_state as s", (join) =>
        join
          .onRef("s.account_id", "=", "past.account_id")
          .onRef("s.event_id", "=", "past.event_id")
          .onRef("s.prefix", "=", "past.prefix")
          .onRef("s.list", "=", "past.list"))
      .select(["past.event_id", "past.prefix", "past.list", "began", "ended", "past.state"])
      .select(["s.first_started", "s.first_error", "s.last_poll"])
      .where("past.account_id", "=", accountId)
      .where((eb) => eb.or([eb("ended", "is", null), eb("ended", ">", shown.first)]))
      .orderBy("past.event_id")
      .orderBy("past.prefix")
      .orderBy("past.list"),
  )
  const lists = groupsOf(rows, (row) => `${row.event_id} ${row.prefix} ${row.list}`)
  return lists.map((runs) => {
    const [row] = runs
    const begun = [row.first_started, row.first_error].filter((at) => at !== null)
    const since = begun.length > 0 ? Math.min(...begun) : row.last_poll ?? known.until
    return {
      eventId: row.event_id,
      prefix: row.prefix,
      list: row.list,
      hours: hoursOf(runs, { ...known, since: Math.max(known.since, since) }, shown),
    }
  })
}

/** Returns the hours from the beginning of the first day to the present one. */
function shownOf(now: number): { readonly first: number; readonly count: number } {
  const today = now - now % 86_400
  const first = today - (shownDays - 1) * 86_400
  return { first, count: (hourOf(now) - first) / anHour + 1 }
}

/** Reads when somebody looked. */
async function readKnown({ db, run }: Snapshot, first: number): Promise<Known> {
  const [look] = await run(db.selectFrom("partner_look").select("at").where("id", "=", 1))
  const gaps = await run(
    db
      .selectFrom("partner_state")
      .select(["began", "ended", "state"])
      .where("account_id", "=", "")
      .where("ended", ">", Math.min(first, monthOf(look?.at ?? first))),
  )
  // Before the first look, there is a gap from the beginning of time on.
  const since = look ? 0 : Infinity
  return { since, until: look?.at ?? 0, gaps: gaps as readonly Run[] }
}
