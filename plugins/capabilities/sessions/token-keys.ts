import { parseScope, type SessionKey, type TokenScope } from "../../../core/accounts.ts"
import { boundedCache, type CapabilityHost, type Database } from "../../../core/capability.ts"
import { hashOf } from "./token-text.ts"

/** Tokens whose sessions are remembered. */
const most = 2000

/** Milliseconds. The session of a token never changes; each request asks whether it still counts. */
const remembered = 10 * 60 * 1000

/**
 * Finds the sessions of tokens. Sends one statement at a time for all that wait, so that a flood of false tokens takes only
 * one connection.
 */
export class TokenKeys {
  readonly #database: Database
  readonly #nodes: CapabilityHost["nodes"]
  readonly #known = boundedCache<SessionKey>({ most, ttl: remembered })
  #wanted = new Set<string>()
  #next: Promise<ReadonlyMap<string, SessionKey>> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor({ database, nodes }: Pick<CapabilityHost, "database" | "nodes">) {
    this.#database = database
    this.#nodes = nodes
  }

  /** Returns the session of a token, live or not; undefined if there is none. @throws {Unavailable} */
  async find(token: string): Promise<SessionKey | undefined> {
    const hash = hashOf(token)
    if (hash === undefined) return undefined
    const key = this.#known.get(hash) ?? (await this.#lookUp(hash)).get(hash)
    if (!key) return undefined
    this.#known.set(hash, key)
    return key
  }

  #lookUp(hash: string): Promise<ReadonlyMap<string, SessionKey>> {
    this.#wanted.add(hash)
    this.#next ??= this.#last.then(() => {
      const wanted = [...this.#wanted]
      this.#wanted = new Set()
      this.#next = undefined
      const found = this.#findAll(wanted)
      this.#last = found.catch(() => {})
      return found
    })
    return this.#next
  }

  /** A replica may not have the newest tokens yet. */
  async #findAll(hashes: readonly string[]): Promise<ReadonlyMap<string, SessionKey>> {
    const { best } = this.#nodes
    const found = await findKeys(best.database, hashes)
    if (best.isPrimary) return found
    const missing = hashes.filter((hash) => !found.has(hash))
    return missing.length === 0
      ? found
      : new Map([...found, ...await findKeys(this.#database, missing)])
  }
}

/** Returns the sessions of tokens by their hashes. */
async function findKeys(
  database: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, SessionKey>> {
  const rows = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("account_token as token")
        .innerJoin("account", "account.id", "token.account_id")
        .select(["hash", "session_id", "account_id", "token.epoch", "username", "scope"])
        .where("hash", "in", [...hashes]),
    )
  )
  return new Map(rows.map(({ hash, session_id, account_id, epoch, username, scope }) => [
    hash,
    {
      ...{ session: session_id, account: account_id, epoch, username },
      ...scope !== null && { scope: scopeOf(scope) },
    },
  ]))
}

/** @throws {TypeError} if it is not a scope: a token never gets more than it was made for. */
function scopeOf(text: string): TokenScope {
  const scope = parseScope(text)
  if (!scope) throw new TypeError(`a token has ${JSON.stringify(text)} in place of a scope`)
  return scope
}
