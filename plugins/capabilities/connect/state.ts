import type { Selectable } from "kysely"
import { type Database, UserError } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import type { Difference, RefusedRow } from "./comparison.ts"
import type { Origin } from "./known-rows.ts"
import type { HeldDeletions } from "./protection.ts"

/** Seconds that the right to take over lasts without a renewal. */
const lasting = 60

type Writer = Pick<Database, "background" | "dialect" | "inBackground">

/** What is known of takeovers. Times are Unix seconds on the database's clock. */
export interface ConnectState
  extends Omit<Readonly<Schema["connect_state"]>, "held" | "watching" | "id"> {
  readonly held: readonly HeldDeletions[]
  /** The triggers that are missing in the source; null if it has none, so that nothing tells what changes. */
  readonly watching: readonly string[] | null
  readonly now: number
}

/** Returns what is known of takeovers; undefined before the first. */
export async function readState(
  database: Pick<Database, "readOnce">,
): Promise<ConnectState | undefined> {
  const [row] = await database.readOnce(({ db, dialect, run }) =>
    run(
      db.selectFrom("connect_state").selectAll().select(dialect.now.as("now")).where("id", "=", 1),
    )
  )
  return row && { ...row, held: JSON.parse(row.held), watching: JSON.parse(row.watching) }
}

/** Returns the rows that could not be taken over from an origin, those of a kind together. */
export async function listRefused(
  database: Pick<Database, "readOnce">,
  origin: Origin,
): Promise<readonly Refusal[]> {
  return await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("connect_refusal").selectAll().where("origin", "=", origin).orderBy("kind")
        .orderBy("number"),
    )
  )
}

type Refusal = Readonly<Selectable<Schema["connect_refusal"]>>

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

  /** Takes the right, unless another process has it. Returns true if it is held. */
  async take(): Promise<boolean> {
    const { background, dialect } = this.#database
    return await this.#database.inBackground(async () => {
      const row = {
        ...{
          id: 1,
          owner: "",
          until: 0,
          mapping: "",
          compared_at: null,
          failed_at: null,
          failure: null,
          held: "[]",
        },
        ...{
          milliseconds: 0,
          rows: 0,
          changed: 0,
          removed: 0,
          refused: 0,
          watching: "null",
          source_schema: "",
        },
      }
      await dialect.orUpdate(background.insertInto("connect_state").values(row), "id", { id: 1 })
        .execute()
      await background.updateTable("connect_state")
        .set((eb) => ({ owner: this.#owner, until: eb(dialect.now, "+", lasting) }))
        .where("id", "=", 1)
        .where((eb) =>
          eb.or([eb("owner", "in", ["", this.#owner]), eb("until", "<=", dialect.now)])
        )
        .execute()
      const { owner } = await background.selectFrom("connect_state").select("owner").where(
        "id",
        "=",
        1,
      )
        .executeTakeFirstOrThrow()
      if (owner === this.#owner) this.#renewedAt = performance.now()
      return owner === this.#owner
    })
  }

  /** Keeps the right. @throws {UserError} if another process has it: this one hung for a minute. */
  async renew(): Promise<void> {
    if (performance.now() - this.#renewedAt < lasting * 250) return
    if (!await this.take()) {
      throw new UserError("Another process takes records over now. This one has stopped.")
    }
  }

  /** Lets another process have it. Never throws: without it, the right ends by itself. */
  async giveBack(): Promise<void> {
    const { background } = this.#database
    await this.#database.inBackground(() =>
      background.updateTable("connect_state").set({ owner: "" })
        .where("id", "=", 1).where("owner", "=", this.#owner).execute()
    ).catch(() => {})
    this.#renewedAt = -Infinity
  }
}

/** Notes what came of a comparison that has reached its end. */
export async function noteComparison(
  { background, dialect }: Writer,
  { difference, removed, held, mapping, milliseconds }: {
    readonly difference: Difference
    readonly removed: number
    readonly held: readonly HeldDeletions[]
    readonly mapping: string
    readonly milliseconds: number
  },
): Promise<void> {
  const { rows, added, changed, refusedCount } = difference
  await background.updateTable("connect_state").set({
    ...{ mapping, milliseconds, rows, changed: added + changed, removed, refused: refusedCount },
    ...{ compared_at: dialect.now, failed_at: null, failure: null, held: JSON.stringify(held) },
  }).where("id", "=", 1).execute()
}

/** Notes why a takeover failed. */
export async function noteFailure(
  { background, dialect }: Writer,
  failure: string,
): Promise<void> {
  await background.updateTable("connect_state").set({ failed_at: dialect.now, failure })
    .where("id", "=", 1).execute()
}

/** Notes which triggers are missing in the source; null if it has none. */
export async function noteWatching(
  { background }: Writer,
  watching: readonly string[] | null,
): Promise<void> {
  await background.updateTable("connect_state").set({ watching: JSON.stringify(watching) }).where(
    "id",
    "=",
    1,
  ).execute()
}

/**
 * Replaces the rows that could not be taken over from an origin: all, as after a comparison with the whole source, or those
 * of some keys.
 */
export async function noteRefused(
  { background }: Writer,
  origin: Origin,
  refused: readonly RefusedRow[],
  looked?: readonly { readonly kind: string; readonly key: string }[],
): Promise<void> {
  const rows = refused.map(({ kind, key, reason, column, hasCopy }) => ({
    ...{ origin, kind, source_key: [...key].slice(0, 191).join(""), reason, column_name: column },
    has_copy: Number(hasCopy),
  }))
  await background.transaction().execute(async (db) => {
    if (!looked) await db.deleteFrom("connect_refusal").where("origin", "=", origin).execute()
    for (const [kind, same] of Map.groupBy(looked ?? [], ({ kind }) => kind)) {
      await db.deleteFrom("connect_refusal").where("origin", "=", origin).where("kind", "=", kind)
        .where("source_key", "in", same.map(({ key }) => key)).execute()
    }
    for (let first = 0; first < rows.length; first += 200) {
      await db.insertInto("connect_refusal").values(rows.slice(first, first + 200)).execute()
    }
  })
}
