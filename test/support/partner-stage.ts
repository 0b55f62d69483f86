import type { Test } from "tap"
import type { SyncRow } from "../../plugins/capabilities/partners/definitions.ts"
import { Builder } from "./builder.ts"
import { type Engine, freshDatabase } from "./database.ts"
import { emptyRow } from "./sync-rows.ts"

/** Sets the stage, a database: an event of `acme` with a guest that changed half an hour ago, and partners. */
export async function setPartnerStage(t: Test, engine: Engine) {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const { writer, dialect } = database
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const event = await build.event(await build.organization("acme"))
  await build.guest(event, { updated: now - 1800 })
  /** Inserts lists of an account: each was read completely ten seconds ago, unless it is given otherwise. */
  const addLists = async (account_id: string, ...lists: readonly Partial<SyncRow>[]) => {
    const at = now - 10
    const walk = { walk_started: at, walk_since: at - 60, walk_next: at - 2 }
    const end = { walk_completed: at, completed_next: at - 2 }
    const whole = { event_id: event, last_poll: at, poll_interval: 60, ...walk, ...end }
    const rows = lists.map((own) => emptyRow({ account_id, ...whole, ...own }))
    for (let first = 0; first < rows.length; first += 250) {
      await writer.insertInto("sync_state").values(rows.slice(first, first + 250)).execute()
    }
  }
  return {
    ...{ database, writer, build, now, event },
    addLists,
    /** Adds an account with a grant for the event, and its lists. Returns its id. */
    async addPartner(
      name: string,
      lists: readonly Partial<SyncRow>[] = [{}],
      role: "partner" | "service" | "operator" = "partner",
    ): Promise<string> {
      const id = await build.account(name, role)
      await build.grant(name, { event })
      await addLists(id, ...lists)
      return id
    },
    /** Adds a session of an account that ends at a time. */
    async addSession(account_id: string, expires: number, reason: "revoked" | null = null) {
      const id = crypto.randomUUID()
      await writer.insertInto("session").values({ id, account_id, created: 1, expires, reason })
        .execute()
    },
    /** Adds deletions of records of an event, at times. */
    async addDeletions(event_id: string, category: string, ...times: readonly number[]) {
      await writer.insertInto("deletion").values(
        times.map((at) => ({ event_id, category, record_id: crypto.randomUUID(), at })),
      ).execute()
    },
    /** Removes accounts with their lists. */
    async removePartners(...ids: readonly string[]) {
      await writer.deleteFrom("account").where("id", "in", ids).execute()
      await writer.deleteFrom("sync_state").where("account_id", "in", ids).execute()
    },
  }
}
