import { type Database, UserError } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import type { RefusedRow } from "./comparison.ts"
import type { HeldDeletions } from "./protection.ts"

/** Seconds that the right to take over lasts without a renewal. */
const lasting = 60

type Writer = Pick<Database, "background" | "dialect" | "inBackground">

/** What is known of takeovers. Times are Unix seconds on the database's clock. */
export interface ConnectState
  extends Omit<Readonly<Schema["connect_state"]>, "held" | "watching" | "refusals"> {
  readonly held: readonly HeldDeletions[]
  readonly refusals: readonly RefusedRow[]
  /** The triggers that are missing in the source; null if it has none, so that nothing tells what changes. */
  readonly watching: readonly string[] | null
  readonly now: number
}

const first = {
  ...{ id: 1, owner: "", until: 0, mapping: "", compared_at: null, failed_at: null, failure: null },
  ...{ milliseconds: 0, rows: 0, changed: 0, removed: 0, drift: null, refused: 0 },
  ...{ held: "[]", refusals: "[]", watching: "null", source_schema: "" },
}

/** Returns what is known of takeovers. */
export async function readState(database: Pick<Database, "readOnce">): Promise<ConnectState> {
  const [row] = await database.readOnce(({ db, dialect, run }) =>
    run(db.selectFrom("connect_state").selectAll().select(dialect.now.as("now")))
  )
  const { held, watching, refusals, ...state } = row ?? { ...first, now: 0 }
  return {
    ...state,
    held: JSON.parse(held),
    refusals: JSON.parse(refusals),
    watching: JSON.parse(watching),
  }
}

/** Notes something of takeovers. */
export async function noteState(
  { background }: Pick<Database, "background">,
  changes: Parameters<typeof stateUpdate>[1],
): Promise<void> {
  await stateUpdate(background, changes).execute()
}

/** Runs work, and notes why it fails, until a comparison succeeds. @throws what `work` throws. */
export async function notingFailure<T>(
  database: Pick<Database, "background" | "dialect">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    // If the service's own database is away, there is nowhere to note it.
    await noteState(database, { failed_at: database.dialect.now, failure }).catch(() => {})
    throw error
  }
}

function stateUpdate(
  background: Database["background"],
  changes: Partial<Record<keyof Schema["connect_state"], unknown>>,
) {
  return background.updateTable("connect_state").set(changes as never).where("id", "=", 1)
}

/** The right to take over, which one process has at a time. */
export class Lease {
  readonly #database: Writer
  readonly #owner: string
  #renewedAt = -Infinity

  /** `owner` is a name that no other process has. */
  constructor(database: Writer, owner: string) {
    this.#database = database
    this.#owner = owner
  }

  /** Runs work with the right. Returns undefined if another process has it. @throws what `work` throws. */
  async use<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!await this.#take()) return undefined
    try {
      return await work()
    } finally {
      // Without this, the right ends by itself.
      await this.#database.inBackground(() =>
        stateUpdate(this.#database.background, { owner: "" }).where("owner", "=", this.#owner)
          .execute()
      ).catch(() => {})
      this.#renewedAt = -Infinity
    }
  }

  /** Keeps the right. @throws {UserError} if another process has it: this one hung for a minute. */
  async renew(): Promise<void> {
    if (performance.now() - this.#renewedAt < lasting * 250) return
    if (await this.#take()) return
    throw new UserError("Another process takes records over now. This one has stopped.")
  }

  async #take(): Promise<boolean> {
    const { background, dialect } = this.#database
    return await this.#database.inBackground(async () => {
      await dialect.orUpdate(background.insertInto("connect_state").values(first), "id", { id: 1 })
        .execute()
      await background.updateTable("connect_state")
        .set((eb) => ({ owner: this.#owner, until: eb(dialect.now, "+", lasting) }))
        .where((eb) =>
          eb.or([eb("owner", "in", ["", this.#owner]), eb("until", "<=", dialect.now)])
        )
        .execute()
      const { owner } = await background.selectFrom("connect_state").select("owner")
        .executeTakeFirstOrThrow()
      if (owner === this.#owner) this.#renewedAt = performance.now()
      return owner === this.#owner
    })
  }
}
