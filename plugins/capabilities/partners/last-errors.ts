import type { Snapshot } from "../../../core/capability.ts"
import type { SyncRow } from "./definitions.ts"
import type { ErrorGroup } from "./list-errors.ts"

/** The last error of a partner, or of one of its lists. */
export interface LastError {
  readonly at: number
  readonly status: number
  readonly code: string
  readonly requestId: string
  /** The parameters that were refused. */
  readonly parameters?: string | null
}

/** Returns the last error of a row of `sync_state`; null if there was none. */
export function lastErrorOf(
  row: Pick<
    SyncRow,
    "error_at" | "error_status" | "error_code" | "error_request" | "error_parameters"
  >,
): LastError | null {
  return row.error_at === null ? null : {
    at: row.error_at,
    status: row.error_status ?? 0,
    code: row.error_code ?? "",
    requestId: row.error_request ?? "",
    parameters: row.error_parameters,
  }
}

/** The last error of an account, with its list. */
type AccountError = LastError & Pick<SyncRow, "prefix" | "list">

/** Returns the last error of each account. */
export async function readLastErrors(
  { db, dialect, run }: Snapshot,
  accountId: string | undefined,
): Promise<ReadonlyMap<string, AccountError>> {
  // Without a condition on the time, MySQL skips from account to account in the index.
  const last = db
    .selectFrom("sync_state")
    .select("account_id")
    .select((eb) => eb.fn.max<number>("error_at").as("at"))
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .groupBy("account_id")
  const rows = await run(
    db
      .selectFrom(last.as("last"))
      .modifyFront(dialect.byIndex("s", "sync_state_error"))
      .innerJoin(
        "sync_state as s",
        (join) =>
          join.onRef("s.account_id", "=", "last.account_id").onRef("s.error_at", "=", "last.at"),
      )
      .select([
        "s.account_id",
        "s.prefix",
        "s.list",
        "s.error_at",
        "s.error_status",
        "s.error_code",
        "s.error_request",
        "s.error_parameters",
      ]),
  )
  return new Map(rows.flatMap((row) => {
    const error = lastErrorOf(row)
    return error ? [[row.account_id, { ...error, prefix: row.prefix, list: row.list }]] : []
  }))
}

/**
 * Adds the accounts' last requests over a limit, since a time, to errors of the audit log, which leaves these out because
 * clients may send any number of them. Latest first.
 */
export function withOverLimit(
  logged: readonly ErrorGroup[],
  last: readonly (AccountError & { readonly account: string })[],
  since: number,
): readonly ErrorGroup[] {
  const limited = last.filter(({ status, at }) => status === 429 && at >= since)
  const groups = limited.map(({ at, status, code, account, prefix, list, requestId }) => ({
    ...{ status, code, account, route: `${prefix} ${list}`, count: null, first: null },
    ...{ last: at, lastRequestId: requestId, lastEvent: null, lastAddress: "" },
  }))
  return [...logged, ...groups].toSorted((a, b) => b.last - a.last)
}
