import type { Database, Log } from "../../../core/capability.ts"
import { listExpiring } from "./expiring.ts"

const aDay = 86_400

/** Warns a week before the session of an unattended program ends: once a day, and at each start. */
export class SessionWarnings {
  /** When each session was last warned of, in Unix seconds. */
  readonly #warned = new Map<string, number>()

  /** Logs a line for each session that ends within a week and that it has not warned of for a day. */
  async warn(database: Database, log: Log): Promise<void> {
    const now = Date.now() / 1000
    for (const [id, at] of this.#warned) if (at <= now - aDay) this.#warned.delete(id)
    for (const { id, username, ends, lasting } of await listExpiring(database, 7 * aDay)) {
      if (this.#warned.has(id)) continue
      this.#warned.set(id, now)
      log.warn(
        { account: username, session: id.slice(0, 8), ends: new Date(ends * 1000).toISOString() },
        lasting
          ? "a token of a partner ends soon: the partner makes another"
          : "the session of an unattended program ends soon: account session --replace opens another",
      )
    }
  }
}
