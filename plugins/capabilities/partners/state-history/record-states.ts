import { sql } from "kysely"
import type { Database, Schema, Snapshot } from "../../../../core/capability.ts"
import { isWell } from "../definitions.ts"
import { stuckLists } from "../list-conditions.ts"
import { type LateRow, readAllPartners } from "../list-partners.ts"
import { type HealthOptions, type PartnerHealth, readAtOneTime } from "../partner-health.ts"
import { type Looks, monthOf, runsToWrite, type SeenState, type Subject } from "./hours.ts"

/** Seconds: who looks sooner after the last look does nothing, and a longer time without a look is not known. */
export const pauses = { least: 45, most: 180 } as const

type StateRow = Schema["partner_state"]

/** What a look has to write. */
interface Seen extends Looks {
  readonly runs: readonly StateRow[]
  readonly months: readonly Schema["partner_month"][]
}

/**
 * Looks at all partners and their lists, and writes what has changed since the last look. Several processes may do so at
 * once: one of them writes, and what it writes follows from what was written before. Returns false if another look was
 * less than 45 seconds ago, or came first. Gives up once the signal aborts.
 *
 * @throws {Unavailable}
 */
export async function recordStates(
  database: Database,
  options: HealthOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const last = await readAtOneTime(database, options, async ({ db, run }, { now }) => {
    const [look] = await run(db.selectFrom("partner_look").select("at").where("id", "=", 1))
    const at = look?.at ?? 0
    // A clock that was set back is not waited for.
    return now >= at && now - at < pauses.least ? undefined : at
  })
  if (last === undefined) return false
  const brief = { ...options, isBrief: true }
  const seen = await readAllPartners(database, brief, async (snapshot, { partners, late, now }) => {
    const looks = { now, last }
    return {
      ...looks,
      runs: [...gapBetween(looks), ...await changedRuns(snapshot, { partners, late }, looks)],
      months: monthsOf(partners, { ...looks, mutes: await options.readMutes?.(snapshot) }),
    }
  })
  return await write(database, seen, signal)
}

/** Returns the time in which nobody looked, if it was too long. */
function gapBetween({ now, last }: Looks): readonly StateRow[] {
  const nobody = { account_id: "", event_id: "", prefix: "", list: "" }
  return now - last > pauses.most
    ? [{ ...nobody, began: last, ended: now, state: "not known" }]
    : []
}

/** Returns what changes of partners, and of their lists: of those, only the troubles of their partners are looked for. */
async function changedRuns(
  snapshot: Snapshot,
  { partners, late }: {
    readonly partners: readonly PartnerHealth[]
    readonly late: readonly LateRow[]
  },
  looks: Looks,
): Promise<readonly StateRow[]> {
  const { db, run } = snapshot
  const rows = await run(db.selectFrom("partner_state").selectAll().where("ended", "is", null))
  const stuck = await run(stuckLists(snapshot, looks.now))
  const open = new Map(rows.map((row) => [keyOf(row), row]))
  const ofPartner = { event_id: "", prefix: "", list: "" }
  const known = new Set(partners.map(({ accountId }) => accountId))
  const seen = new Map<string, Subject & { readonly state: SeenState }>()
  const note = (subject: Subject, state: SeenState) => {
    const { account_id, event_id, prefix, list } = subject
    if (!known.has(account_id)) return
    seen.set(keyOf(subject), { account_id, event_id, prefix, list, state })
  }
  // What is not found below is over.
  for (const row of rows) if (row.prefix !== "") note(row, "in sync")
  for (const row of late) note(row, "behind")
  for (const row of stuck) note(row, "stuck")
  for (const { accountId, state } of partners) note({ account_id: accountId, ...ofPartner }, state)
  return [...seen].flatMap(([key, { state, ...subject }]) =>
    runsToWrite(open.get(key), state, looks)
      .map(({ began, ended, state }) => ({ ...subject, began, ended, state }))
  )
}

function keyOf({ account_id, event_id, prefix, list }: Subject): string {
  return `${account_id} ${event_id} ${prefix} ${list}`
}

/** These have nothing to fetch, like those whose trouble is known and muted. */
const idle: readonly string[] = ["never polled", "disabled"]

/** Returns the seconds since the last look of those who were not in sync. A gap says nothing. */
function monthsOf(
  partners: readonly PartnerHealth[],
  { now, last, mutes }: Looks & { readonly mutes: ReadonlyMap<string, unknown> | undefined },
): readonly Schema["partner_month"][] {
  const month = monthOf(now)
  const seconds = now - last > pauses.most ? 0 : now - Math.max(last, month)
  if (seconds <= 0) return []
  return partners.flatMap(({ accountId: account_id, state }) => {
    if (isWell(state)) return []
    const isIdle = idle.includes(state) || mutes?.has(account_id) === true
    return [{ account_id, month, failing: isIdle ? 0 : seconds, idle: isIdle ? seconds : 0 }]
  })
}

/** Rows of one statement. */
const most = 500

/** Writes what a look has seen, unless another look came first: all or nothing. */
async function write(
  { background, dialect }: Database,
  { now, last, runs, months }: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  const { incoming } = dialect
  return await background.transaction().execute(async (db) => {
    if (last === 0) {
      const first = db.insertInto("partner_look").values({ id: 1, at: 0 })
      await dialect.orUpdate(first, "id", { id: incoming("id") }).execute({ signal })
    }
    // Everything follows from the last look: nobody has looked since, so nothing has changed.
    const { numUpdatedRows } = await db
      .updateTable("partner_look")
      .set({ at: now })
      .where("id", "=", 1)
      .where("at", "=", last)
      .executeTakeFirstOrThrow({ signal })
    if (numUpdatedRows === 0n) return false
    for (const rows of inPortions(runs)) {
      const insert = db.insertInto("partner_state").values(rows)
      const key = ["account_id", "event_id", "prefix", "list", "began"] as const
      await dialect
        .orUpdate(insert, key, { ended: incoming("ended"), state: incoming("state") })
        .execute({ signal })
    }
    const sum = (column: string) =>
      sql<never>`${sql.ref(`partner_month.${column}`)} + ${incoming(column)}`
    for (const rows of inPortions(months)) {
      const insert = db.insertInto("partner_month").values(rows)
      await dialect
        .orUpdate(insert, ["account_id", "month"], { failing: sum("failing"), idle: sum("idle") })
        .execute({ signal })
    }
    return true
  })
}

function inPortions<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from(
    { length: Math.ceil(rows.length / most) },
    (_, index) => rows.slice(index * most, (index + 1) * most),
  )
}
