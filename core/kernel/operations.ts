import * as v from "valibot"
import {
  createAccount,
  listAccounts,
  revokeSessions,
  setDisabled,
  setPassword,
} from "../access/accounts.ts"
import type { Author } from "../access/changes.ts"
import { grantAccess, listGrants, withdrawAccess } from "../access/grants.ts"
import { assertGoodPassword } from "../access/password-rules.ts"
import { hashPassword } from "../access/passwords.ts"
import { endSession } from "../access/session-ends.ts"
import { listSessions } from "../access/session-list.ts"
import type { Database } from "../data/database.ts"
import { translateError } from "../data/unavailable.ts"
import { findDisclosures } from "../disclosures/find-disclosures.ts"
import { UserError } from "../errors.ts"
import { Problem } from "../http/problems.ts"
import { NetworkError } from "../networks.ts"
import { listAudit } from "../observe/audit-log.ts"
import type { AuditRow, Operations } from "../routes/operations.ts"
import type { Plan } from "../routes/plan.ts"
import { username as validUsername, wrongName } from "../routes/setting-types.ts"
import { checkDraft } from "./check-draft.ts"

/** Returns the operations of an instance, for one request of an operator. */
export function operationsOf(database: Database, config: Plan): (by: Author) => Operations {
  return (by) => withProblems({ ...lookUps(database, config), ...changes(database, by) })
}

type LookUp = "accounts" | "sessions" | "grants" | "audit" | "disclosures" | "checkDraft"

function lookUps(database: Database, config: Plan): Pick<Operations, LookUp> {
  return {
    accounts: () => listAccounts(database),
    sessions: (username) => listSessions(database, username, { idle: config.session.idle }),
    grants: (username) => listGrants(database, username),
    audit: async (query) => await listAudit(database, query) as AuditRow[],
    disclosures: (guest, eventId) => findDisclosures(database, guest, { eventId }),
    checkDraft: (text) => checkDraft(database, config, text),
  }
}

function changes(database: Database, by: Author): Omit<Operations, LookUp> {
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
    disable: (username, { undo = false } = {}) => setDisabled(database, username, !undo, { by }),
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
