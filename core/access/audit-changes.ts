import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"

/** The author of a change. */
export interface Author {
  /**
   * The name of an operator's account, or of one that changes its own tokens; the system's user at the command line; or
   * `service`.
   */
  readonly actor: string
  /** An IP address, or the name of the host that the command ran on. */
  readonly address: string
  /** The id of the request that made the change, if one did. */
  readonly request?: string
  /** Records what they change, in the transaction that makes the change; absent if nothing records it. */
  readonly record?: RecordChange | undefined
}

/** Records a change. Gets the transaction that makes it. */
export type RecordChange = (db: Writer, change: AuditChange) => Promise<void>

/** A change to accounts, grants, sessions or the configuration, or one that concerns all partners. */
export interface AuditChange extends Author {
  readonly action: (typeof changeActions)[number]
  /** The name of the account that it is about; null if it is about none. */
  readonly account: string | null
  /** Its former name, if it gets another one. */
  readonly formerly?: string
  /** What was changed, in words. Nothing personal but names of accounts, and no secret. */
  readonly detail: string
  /** True if it ends all sessions of the account: nothing that one of them has made must go on. */
  readonly endsSessions?: boolean
  /** Why it was refused; absent if it was not. */
  readonly code?: string
  /** When it was made, in Unix seconds; absent if it is made now. */
  readonly at?: number
}

/** The names of changes in the audit log. */
export const changeActions = [
  "account-add",
  "account-password",
  "account-disable",
  "account-enable",
  "account-rename",
  "account-remove",
  "grant",
  "withdraw",
  "session-open",
  "session-end",
  "reload",
  "resync",
  "failover",
  "contact",
] as const

/** The database, or one of its transactions. */
export type Writer = Pick<Database, "writer" | "dialect">

/** Records in the audit log what a transaction changes, if the change has an author: what loads data has none. */
export type NoteChange = (change: Omit<AuditChange, keyof Author>) => Promise<void>

/**
 * Changes accounts, grants or sessions in one transaction.
 * @throws {UserError} if the database user may only serve: `denied` says what to do. @throws what `work` throws.
 */
export async function changeInTransaction<T>(
  { writer, dialect }: Writer,
  by: Author | undefined,
  work: (transaction: Writer, record: NoteChange) => Promise<T>,
  { denied = deniedAccounts }: { readonly denied?: string } = {},
): Promise<T> {
  try {
    return await writer.transaction().execute((db) => {
      const transaction = { writer: db, dialect }
      return work(transaction, async (change) => {
        await by?.record?.(transaction, { ...by, ...change })
      })
    })
  } catch (error) {
    if (!denials.has(String((error as { code?: unknown }).code))) throw error
    throw new UserError(denied)
  }
}

const deniedAccounts =
  "The database user may not change accounts and grants. Run the command as the owner of the " +
  'tables, or give the user the privileges of "event-export grants --accounts". Nothing was changed.'

/** Codes of MySQL for missing privileges. */
const denials = new Set(["ER_TABLEACCESS_DENIED_ERROR", "ER_COLUMNACCESS_DENIED_ERROR"])
