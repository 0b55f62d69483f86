import {
  type Batch,
  boundedCache,
  type CapabilityHost,
  type Database,
} from "../../../core/capability.ts"

/** A use of a token. */
interface Use {
  readonly id: string
  readonly address: string
}

/** Records in the background where tokens were last used from, exact to a minute. Sessions record when. */
export class TokenUses {
  readonly #batch: Batch<Use>
  readonly #recent = boundedCache<true>({ most: 10_000, ttl: 60_000 })

  constructor(database: Database, batch: CapabilityHost["batch"]) {
    const write = (uses: readonly Use[], signal: AbortSignal) => recordUses(database, uses, signal)
    this.#batch = batch(write, { name: "uses of tokens" })
  }

  /** Records a request with a token, by the id of its session. */
  record(id: string, address: string): void {
    const key = `${id} ${address}`
    if (this.#recent.has(key)) return
    this.#recent.set(key, true)
    this.#batch.add({ id, address })
  }
}

/** If it fails, some uses may be recorded. They can be recorded again. */
async function recordUses(
  { writer, dialect }: Database,
  uses: readonly Use[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  for (const [id, address] of new Map(uses.map(({ id, address }) => [id, address]))) {
    await writer.updateTable("account_token").set({ last_address: address })
      .where("session_id", "=", id).execute(limit)
  }
}
