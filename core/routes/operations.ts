import type { Selectable } from "kysely"
import type { AccountListing } from "../access/accounts.ts"
import type { GrantLimits, GrantListing, GrantTarget } from "../access/grants.ts"
import type { ConfigProblem } from "../config/problem.ts"
import type { AuditLogTable, Role } from "../data/schema.ts"

/**
 * What operators see and change. Times are Unix seconds on the database's clock. Each change is recorded in
 * the audit log with the operator who makes the request, its address and its id.
 *
 * All methods throw {Problem}: 400 with a sentence if a name is unknown or an input is wrong, 503 if the
 * database cannot answer.
 */
export interface Operations {
  accounts(): Promise<readonly AccountListing[]>
  /** Returns all grants, or those of an account. */
  grants(username?: string): Promise<readonly GrantListing[]>
  /** Returns the latest entries of the audit log that match, oldest first. */
  audit(query: AuditFilter): Promise<readonly AuditRow[]>
  addAccount(account: NewAccount): Promise<void>
  /** Ends all sessions of the account. */
  setPassword(username: string, password: string): Promise<void>
  disable(username: string, options?: { readonly undo?: boolean }): Promise<void>
  grant(username: string, target: GrantTarget, limits?: GrantLimits): Promise<void>
  withdraw(username: string, target: GrantTarget): Promise<void>
  /** Checks a configuration in the place of the one in force. Changes nothing. */
  checkDraft(text: string): Promise<DraftCheck>
}

/** A row of the audit log. */
export type AuditRow = Selectable<AuditLogTable>

/** A selection of rows of the audit log. */
export interface AuditFilter {
  readonly account?: string
  readonly event?: string
  /** Unix seconds; the first included, the second not. */
  readonly since?: number
  readonly limit: number
}

export interface NewAccount {
  readonly username: string
  readonly role: Role
  readonly password: string
}

/** What is wrong with a draft of a configuration, or what it would change. */
export interface DraftCheck {
  /** Mistakes in the text, in its order. If there are any, nothing else is known. */
  readonly problems: readonly ConfigProblem[]
  /** Reasons why it would not be served. */
  readonly errors: readonly string[]
  readonly warnings: readonly { readonly about: string; readonly message: string }[]
  /** True if it could be served. */
  readonly isGood: boolean
  readonly plugins: number
  readonly routes: number
  /** Settings that a reload cannot change, and how they differ. */
  readonly fixed: readonly { readonly name: string; readonly change: string }[]
  /** A line per route that would change. */
  readonly changes: readonly string[]
  /** The same for accounts that read, those with the same changes together. */
  readonly perAccount: readonly {
    readonly accounts: readonly string[]
    readonly changes: readonly string[]
  }[]
}
