import { sql } from "kysely"
import type { Database } from "../../../core/capability.ts"
import { deleteOld, type Schema } from "../../../core/tables.ts"

/** A process that is serving, or was within the last day. */
export interface InstanceHealth extends Readonly<Schema["instance"]> {
  /** True if it was not seen for half a minute: it hangs, or was killed. */
  readonly isGone: boolean
}

/** What a process records about itself. */
export type InstanceRow = Omit<Schema["instance"], "started" | "seen">

/** Seconds after which a process that was not seen counts as gone. */
const patience = 30

/** Returns the processes that use the database, followed by those that are gone. @throws {Unavailable} */
export async function listInstances(database: Database): Promise<readonly InstanceHealth[]> {
  return await database.snapshot(async ({ db, dialect, run }) => {
    const rows = await run(
      db.selectFrom("instance").selectAll().select(dialect.now.as("now")).orderBy("started"),
    )
    const found = rows.map(({ now, ...row }) => ({ ...row, isGone: now - row.seen > patience }))
    return found.sort((a, b) => Number(a.isGone) - Number(b.isGone))
  })
}

/** Records that a process is serving, and its state. Gives up once the signal aborts. */
export async function renewInstance(
  { writer, dialect }: Database,
  row: InstanceRow,
  signal: AbortSignal,
): Promise<void> {
  const { id: _, ...changes } = row
  const insert = writer.insertInto("instance").values({
    ...row,
    started: dialect.now,
    seen: dialect.now,
  })
  await dialect.orUpdate(insert, "id", { ...changes, seen: dialect.now })
    .execute({ signal, inflightQueryAbortStrategy: dialect.onTimeout })
}

/** Records that a process has ended. */
export async function removeInstance(
  { writer, dialect }: Database,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  await writer.deleteFrom("instance").where("id", "=", id)
    .execute({ signal, inflightQueryAbortStrategy: dialect.onTimeout })
}

/** Deletes processes that were not seen for a day. Returns their number. */
export async function pruneInstances(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<number> {
  const isOld = sql`seen < ${dialect.now} - 86400`
  return await deleteOld(background, { table: "instance", key: ["id"], isOld }, signal)
}
