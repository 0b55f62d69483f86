import * as v from "valibot"
import {
  createAccount,
  listAccounts,
  revokeSessions,
  setDisabled,
  setPassword,
} from "../access/accounts.ts"
import type { Author } from "../access/changes.ts"
import { explainAccess } from "../access/explain-access.ts"
import { grantAccess, listGrants, withdrawAccess } from "../access/grants.ts"
import { assertGoodPassword } from "../access/password-rules.ts"
import { hashPassword } from "../access/passwords.ts"
import { endSession } from "../access/session-ends.ts"
import { listExpiring, listSessions } from "../access/session-list.ts"
import type { ConfigPath } from "../config/issues.ts"
import type { Database } from "../data/database.ts"
import { translateError } from "../data/unavailable.ts"
import { findDisclosures } from "../disclosures/find-disclosures.ts"
import { listOverdue } from "../disclosures/overdue.ts"
import { UserError } from "../errors.ts"
import { Problem } from "../http/problems.ts"
import { NetworkError } from "../networks.ts"
import { listAudit } from "../observe/audit-log.ts"
import { findPartner } from "../partners/find-partner.ts"
import { findReaders } from "../partners/find-readers.ts"
import { listInstances } from "../partners/instances.ts"
import { listErrors } from "../partners/list-errors.ts"
import { listEvents } from "../partners/list-events.ts"
import { listPartners } from "../partners/list-partners.ts"
import { listReads } from "../partners/list-reads.ts"
import { trafficOf } from "../partners/traffic.ts"
import type { AccountLimits, AuditRow, Operations } from "../routes/operations.ts"
import type { Plan } from "../routes/plan.ts"
import { findSettingOf } from "../routes/setting-of-route.ts"
import { username as validUsername, wrongName } from "../routes/setting-types.ts"

/** What operations need of a configuration in force. */
type InForce =
  & Pick<Plan, "limits" | "accounts" | "plugins" | "routes">
  & {
    readonly session: Pick<Plan["session"], "idle">
    readonly polling: Pick<Plan["polling"], "retention">
    readonly disclosures: Pick<Plan["disclosures"], "overdue">
  }

/** Returns the operations of an instance, for one request of an operator. */
export function operationsOf(
  { database, readable }: {
    readonly database: Database
    /** Returns what can be read while the database has no primary. */
    readonly readable: () => Database
  },
  config: InForce,
  checkDraft: Operations["checkDraft"],
): (by: Author) => Operations {
  return (by) =>
    withProblems({ ...lookUps(readable(), config), ...changes(database, by), checkDraft })
}

type LookUps = Omit<Operations, Change | "checkDraft">
type Change =
  | "addAccount"
  | "setPassword"
  | "disable"
  | "endSession"
  | "endSessions"
  | "grant"
  | "withdraw"

function lookUps(database: Database, config: InForce): LookUps {
  const { session: { idle }, polling, plugins, routes } = config
  const health = { retention: polling.retention }
  return {
    partners: () => listPartners(database, health),
    partner: (username) => findPartner(database, username, health),
    limits: async (username) => limitsOf(config, username),
    events: (search, limit) => listEvents(database, { search, limit }),
    readers: (eventId) => findReaders(database, eventId, health),
    reads: (eventId, period) => listReads(database, eventId, period),
    errors: (selection) => listErrors(database, selection),
    traffic: (minutes) => trafficOf(database, minutes),
    instances: () => listInstances(database),
    async explain(question) {
      const explanation = await explainAccess(database, routes, { ...question, idle })
      return {
        ...explanation,
        routes: explanation.routes.map((each) => ({
          ...each,
          setting: nameOf(findSettingOf(each.route, plugins) ?? []),
        })),
      }
    },
    overdue: () => listOverdue(database, config.disclosures.overdue),
    accounts: () => listAccounts(database),
    sessions: (username) => listSessions(database, username, { idle }),
    endingSessions: () => listExpiring(database, aWeek),
    grants: (username) => listGrants(database, username),
    audit: async (query) => await listAudit(database, query) as AuditRow[],
    disclosures: (guest, eventId) => findDisclosures(database, guest, { eventId }),
  }
}

const aWeek = 7 * 86_400

function limitsOf({ limits, accounts }: InForce, username: string): AccountLimits {
  const own = Object.hasOwn(accounts, username) ? accounts[username] : undefined
  return {
    burst: own?.burst ?? limits.burst,
    quota: own?.quota ?? limits.quota,
    concurrent: own?.concurrent ?? limits.concurrent,
    pollInterval: own?.poll_interval ?? null,
    isOwn: own !== undefined,
  }
}

/** Writes the path of a setting, such as `plugins[3].with`. */
function nameOf(path: ConfigPath): string {
  return path.reduce<string>(
    (name, step) => typeof step === "number" ? `${name}[${step}]` : name ? `${name}.${step}` : step,
    "",
  )
}

function changes(database: Database, by: Author): Pick<Operations, Change> {
  return {
    async addAccount({ username, role, password }) {
      if (!v.is(validUsername, username)) throw new UserError(wrongName)
      assertGoodPassword(password, username)
      const passwordHash = await hashPassword(password)
      await createAccount(database, { username, role, passwordHash }, by)
    },
    async setPassword(username, password) {
      assertGoodPassword(password, username)
      await setPassword(database, username, await hashPassword(password), by)
    },
    async disable(username, { undo = false } = {}) {
      if (username === by.actor && !undo) {
        throw new UserError("This is your own account: another operator can disable it.")
      }
      await setDisabled(database, username, !undo, { by })
    },
    async endSession(id) {
      await endSession(database, id, "revoked", by)
    },
    endSessions: (username) => revokeSessions(database, username, by),
    grant: (username, target, limits) => grantAccess(database, username, target, limits, by),
    withdraw: (username, target) => withdrawAccess(database, username, target, by),
  }
}

/** Turns the errors of all methods into problems, as the contract promises. */
function withProblems(methods: Operations): Operations {
  const entries = Object.entries(methods).map(([name, method]: [string, Method]) => [
    name,
    async (...input: unknown[]) => {
      try {
        return await method(...input)
      } catch (error) {
        throw problemOf(error)
      }
    },
  ])
  return Object.fromEntries(entries)
}

type Method = (...input: unknown[]) => Promise<unknown>

function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}
