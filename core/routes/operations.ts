import type { Selectable } from "kysely"
import type { AccountListing } from "../access/accounts.ts"
import type { AccessExplanation, AccessQuestion } from "../access/explain-access.ts"
import type { GrantLimits, GrantListing, GrantTarget } from "../access/grants.ts"
import type { SessionListing } from "../access/session-list.ts"
import type { ConfigProblem } from "../config/problem.ts"
import type { AuditLogTable, Role } from "../data/schema.ts"
import type { DisclosureReport } from "../disclosures/find-disclosures.ts"
import type { Overdue } from "../disclosures/overdue.ts"
import type { InstanceHealth } from "../partners/instances.ts"
import type { EventListing } from "../partners/list-events.ts"
import type { ListHealth } from "../partners/list-health.ts"
import type { ErrorGroup } from "../partners/list-errors.ts"
import type { EventReads, Period } from "../partners/list-reads.ts"
import type { PartnerHealth } from "../partners/partner-health.ts"
import type { PartnerReport } from "../partners/partner-report.ts"
import type { MinuteCounts } from "../partners/traffic.ts"

/**
 * What operators see and change. Times are Unix seconds on the database's clock. Each change is recorded in
 * the audit log with the operator who makes the request, its address and its id.
 *
 * All methods throw {Problem}: 400 with a sentence if a name is unknown or an input is wrong, 503 if the
 * database cannot answer.
 */
export interface Operations {
  /** Returns how each partner is doing, the worst first. */
  partners(): Promise<readonly PartnerHealth[]>
  /** Returns everything about one partner. */
  partner(username: string): Promise<PartnerReport>
  /** Returns the limits of an account, in force. */
  limits(username: string): Promise<AccountLimits>
  /** Returns events with `search` in name, organization or id, those that were read last first. */
  events(search: string, limit: number): Promise<readonly EventListing[]>
  /** Returns who reads an event, and how far each one is. */
  readers(eventId: string): Promise<readonly ListHealth[]>
  /** Returns who requested lists of an event in a period. */
  reads(eventId: string, period: Period): Promise<readonly EventReads[]>
  /** Returns the errors since a time, grouped, the latest first. */
  errors(selection: { readonly since: number }): Promise<readonly ErrorGroup[]>
  /** Returns requests and changes of each of the last minutes. */
  traffic(minutes: number): Promise<readonly MinuteCounts[]>
  instances(): Promise<readonly InstanceHealth[]>
  /** Explains what an account would get from the routes of an event. */
  explain(question: AccessQuestion): Promise<ExplainedAccess>
  /** Returns the erasures that partners have not acknowledged in time, the oldest first. */
  overdue(): Promise<readonly Overdue[]>
  accounts(): Promise<readonly AccountListing[]>
  /** Returns the latest sessions of an account, those that end last first; with those that have ended. */
  sessions(username: string): Promise<readonly SessionListing[]>
  /** Returns the sessions of unattended programs that end within a week, the next to end first. */
  endingSessions(): Promise<readonly SessionListing[]>
  grants(username: string): Promise<readonly GrantListing[]>
  /** Returns the latest entries of the audit log that match, oldest first. */
  audit(query: AuditFilter): Promise<readonly AuditRow[]>
  /** Finds who received the record of a guest; `eventId` is for guests that are not known any more. */
  disclosures(guest: string, eventId?: string): Promise<DisclosureReport>

  addAccount(account: NewAccount): Promise<void>
  /** Ends all sessions of the account. */
  setPassword(username: string, password: string): Promise<void>
  /** Disables an account, or enables it; either ends its sessions. */
  disable(username: string, options?: { readonly undo?: boolean }): Promise<void>
  /** Ends one session, named by its id or the beginning of it. */
  endSession(id: string): Promise<void>
  endSessions(username: string): Promise<void>
  grant(username: string, target: GrantTarget, limits?: GrantLimits): Promise<void>
  withdraw(username: string, target: GrantTarget): Promise<void>

  /** Checks a configuration in the place of the one in force. Changes nothing. */
  checkDraft(text: string): Promise<DraftCheck>
}

/** What an account may do at most, as the configuration says. */
export interface AccountLimits {
  /** Requests per second, per hour, and at the same time. */
  readonly burst: number
  readonly quota: number
  readonly concurrent: number
  /** Seconds between polls of a running event, if they are its own. */
  readonly pollInterval: number | null
  /** True if one of these is the account's own. */
  readonly isOwn: boolean
}

/** An explanation in which each route has the setting that decides who may use it, such as `plugins[3].with`. */
export interface ExplainedAccess extends Omit<AccessExplanation, "routes"> {
  readonly routes: readonly (AccessExplanation["routes"][number] & { readonly setting: string })[]
}

/** A row of the audit log. */
export type AuditRow = Selectable<AuditLogTable>

/** A selection of rows of the audit log. All that is given must match. */
export interface AuditFilter {
  readonly account?: string
  readonly event?: string
  /** The id of a request. */
  readonly request?: string
  /** A status such as 404, or the first digit of several: 4 for 400 to 499. */
  readonly status?: number
  readonly address?: string
  readonly action?: string
  /** Who made a change. */
  readonly actor?: string
  /** Unix seconds; `until` is excluded. */
  readonly since?: number
  readonly until?: number
  /** Only rows before this one, by its time and number: the first of a list continues it backwards. */
  readonly before?: { readonly at: number; readonly seq: number }
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
