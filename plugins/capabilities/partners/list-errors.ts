import { sql } from "kysely"
import { type Database, errorStatuses, type Snapshot } from "../../../core/capability.ts"
import { groupsOf } from "./alike.ts"

/** Errors with the same account, code and endpoint. Times are Unix seconds. */
export interface ErrorGroup {
  readonly status: number
  readonly code: string
  /** Null if nobody was logged in. */
  readonly account: string | null
  /** The pattern of the path, or its prefix and the list. */
  readonly route: string | null
  /** Null if not counted. */
  readonly count: number | null
  readonly first: number | null
  readonly last: number
  readonly lastRequestId: string
  /** The event of the last request; null if its path has none. */
  readonly lastEvent: string | null
  readonly lastAddress: string
}

/** Returns true if there is an audit log to read errors from. */
export function knowsErrors({ storages }: Pick<Database, "storages">): boolean {
  return storages.on.some(({ tables }) => "audit_log" in tables)
}

/** The most groups to return. */
const mostGroups = 200

/**
 * Returns the errors in the audit log since a time, grouped by code, account and endpoint: at most 200 groups, most
 * recent first. Finds an account's errors under its former names, too. Requests over a limit are not in the audit log:
 * see `withOverLimit`.
 */
export async function readErrorGroups(
  snapshot: Snapshot,
  { since, account }: { readonly since: number; readonly account?: string | undefined },
): Promise<readonly ErrorGroup[]> {
  const { db, run } = snapshot
  const own = account === undefined ? [] : [
    account,
    ...(await readNames(snapshot, "account", [account])).keys(),
  ]
  const groups = db
    .selectFrom("audit_log")
    .select(["status", "code", "account", "route"])
    .select((eb) => [
      eb.fn.countAll<number>().as("count"),
      eb.fn.min<number>("at").as("first"),
      eb.fn.max<number>("at").as("last"),
      eb.fn.max<number>("seq").as("last_seq"),
    ])
    .where("at", ">=", since)
    .where("status", "in", errorStatuses)
    .$if(own.length > 0, (query) => query.where("account", "in", own))
    .groupBy(["status", "code", "account", "route"])
    .orderBy(sql`max(seq)`, "desc")
    .limit(mostGroups)
  const rows = await run(
    db
      .selectFrom(groups.as("each"))
      .innerJoin("audit_log as entry", "entry.seq", "each.last_seq")
      .selectAll("each")
      .select(["entry.request_id", "entry.event_id", "entry.address"])
      .orderBy("each.last_seq", "desc"),
  )
  const names = await readNames(snapshot, "former", rows.flatMap(({ account }) => account ?? []))
  const alike = groupsOf(
    rows.map((row) => ({ ...row, account: names.get(row.account ?? "") ?? row.account })),
    ({ status, code, account, route }) => JSON.stringify([status, code, account, route]),
  )
  return alike.map((same) => {
    const [{ status, code, account, route, ...entry }] = same
    return {
      ...{ status, code: code ?? "", account, route },
      count: same.reduce((sum, { count }) => sum + count, 0),
      first: Math.min(...same.map(({ first }) => first)),
      last: Math.max(...same.map(({ last }) => last)),
      lastRequestId: entry.request_id,
      lastEvent: entry.event_id,
      lastAddress: entry.address,
    }
  })
}

/** Counts an account's requests for lists since a time. The audit log does not contain those over a limit. */
export async function countRequests(
  { db, run }: Snapshot,
  { since, account }: { readonly since: number; readonly account: string },
): Promise<number> {
  const [row] = await run(
    db.selectFrom("audit_log").select((eb) => eb.fn.countAll<number>().as("count"))
      .where("account", "=", account).where("at", ">=", since).where("action", "=", "list"),
  )
  return Number(row?.count)
}

/** Returns the current names of renamed accounts by former name. `names` are current or former ones, as `by` says. */
async function readNames(
  { db, run }: Snapshot,
  by: "account" | "former",
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await run(
    db.selectFrom("audit_name").select(["former", "account"]).where(by, "in", [...new Set(names)]),
  )
  return new Map(rows.map(({ former, account }) => [former, account]))
}
