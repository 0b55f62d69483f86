import {
  type Batch,
  boundedCache,
  type Database,
  type Line,
  type Observer,
  type OpenBatch,
} from "../../../core/capability.ts"

const ofLogIns = new Set(["invalid_credentials", "too_many_log_ins"])

/** A request of a known account that nobody could be logged in by. */
interface Refused extends Pick<Line, "address"> {
  /** The account's id, or its name. */
  readonly account: { readonly id: string } | { readonly username: string }
  readonly code: string
  /** The request's id. */
  readonly request: string
  /** The session that has ended; null for a log-in. */
  readonly session: string | null
}

/**
 * Records in the background who is locked out: each account's last request with the cookie of a session that has
 * ended, or refused log-in. Of a flood of those, one a second is written.
 */
export class RefusalTrail {
  readonly #batch: Batch<Refused>
  readonly #recent = boundedCache<true>({ most: 10_000, ttl: 1000 })

  constructor(database: Database, { batch }: { readonly batch: OpenBatch }) {
    const write = (all: readonly Refused[], signal: AbortSignal) =>
      writeRefused(database, all, signal)
    this.#batch = batch(write, { name: "refusals" })
  }

  /** Records a request if it was refused so. */
  readonly record: Observer = ({ line, ended }) => {
    const { id: request, address, action, account, code } = line
    if (code === undefined) return
    if (ended) {
      const { account: id, session } = ended
      this.#add({ account: { id }, code, request, session, address })
    } else if (action === "log-in" && account !== undefined && ofLogIns.has(code)) {
      this.#add({ account: { username: account }, code, request, session: null, address })
    }
  }

  #add(refused: Refused): void {
    const key = JSON.stringify(refused.account)
    if (this.#recent.has(key)) return
    this.#recent.set(key, true)
    this.#batch.add(refused)
  }
}

/** Sets the last refused request of each account. */
async function writeRefused(
  { writer, dialect }: Database,
  all: readonly Refused[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  const names = all.flatMap(({ account }) => "username" in account ? account.username : [])
  const found = names.length === 0 ? [] : await writer.selectFrom("account")
    .select(["id", "username"]).where("username", "in", names).execute(limit)
  const ids = new Map(found.map(({ id, username }) => [username, id]))
  const latest = new Map<string, Refused>()
  for (const each of all) {
    const id = "id" in each.account ? each.account.id : ids.get(each.account.username)
    if (id !== undefined) latest.set(id, each)
  }
  for (const account_id of [...latest.keys()].sort()) {
    const { code, request, session, address } = latest.get(account_id) as Refused
    const values = {
      refused: dialect.now,
      refused_code: code,
      refused_request: request,
      refused_session: session,
      refused_address: address,
    }
    const insert = writer.insertInto("account_activity").values({ account_id, ...values })
    await dialect.orUpdate(insert, "account_id", values).execute(limit)
  }
}
