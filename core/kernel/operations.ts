import * as v from "valibot"
import { createAccount, listAccounts, setDisabled, setPassword } from "../access/accounts.ts"
import { grantAccess, listGrants, withdrawAccess } from "../access/grants.ts"
import { assertGoodPassword } from "../access/password-rules.ts"
import { hashPassword } from "../access/passwords.ts"
import type { Database } from "../data/database.ts"
import { translateError } from "../data/unavailable.ts"
import { UserError } from "../errors.ts"
import { Problem } from "../http/problems.ts"
import { NetworkError } from "../networks.ts"
import { listAudit } from "../observe/audit-log.ts"
import type { Operator } from "../request/handlers.ts"
import type { Operations } from "../routes/operations.ts"
import type { Plan } from "../routes/plan.ts"
import { username as validUsername, wrongName } from "../routes/setting-types.ts"
import { checkDraft } from "./check-draft.ts"

/** Returns the operations of an instance for one request of an operator. */
export function operationsOf(database: Database, config: Plan): (by: Operator) => Operations {
  return (_by) =>
    withProblems<Operations>({
      accounts: () => listAccounts(database),
      grants: (username) => listGrants(database, username),
      audit: async (query) => await listAudit(database, query) as never,
      async addAccount({ username, role, password }) {
        if (!v.is(validUsername, username)) throw new UserError(wrongName)
        assertGoodPassword(password, username)
        await createAccount(database, {
          username,
          role,
          passwordHash: await hashPassword(password),
        })
      },
      async setPassword(username, password) {
        assertGoodPassword(password, username)
        await setPassword(database, username, await hashPassword(password))
      },
      disable: (username, { undo = false } = {}) => setDisabled(database, username, !undo),
      grant: (username, target, limits) => grantAccess(database, username, target, limits),
      withdraw: (username, target) => withdrawAccess(database, username, target),
      checkDraft: (text) => checkDraft(database, config, text),
    })
}

/** Turns the errors of all methods into problems, as the contract promises. */
function withProblems<T extends object>(methods: T): T {
  const entries = Object.entries(methods).map(([name, method]) => [
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

function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}
