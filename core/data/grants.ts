import { randomUUID } from "node:crypto"
import { type Account, DataError, findAccount } from "./accounts.ts"
import type { Database } from "./database.ts"

/** What is granted: one event by its id, or all events of an organization by its slug. */
export type GrantTarget = { readonly organization: string } | { readonly event: string }

/** A grant as the operator sees it. */
export interface GrantListing {
  readonly username: string
  readonly target: "organization" | "event"
  readonly name: string
}

type Columns = { organization_id: string } | { event_id: string }

/** Lets an account read. Granting twice is the same as once. @throws {DataError} on an unknown name. */
export async function grantAccess(
  database: Database,
  username: string,
  target: GrantTarget,
): Promise<void> {
  await database.writer.transaction().execute(async (db) => {
    const { account, columns } = await resolve(db, username, target)
    await db.deleteFrom("access_grant").where((eb) => eb.and(matching(account, columns))).execute()
    await db.insertInto("access_grant").values({
      id: randomUUID(),
      account_id: account.id,
      organization_id: null,
      event_id: null,
      ...columns,
    }).execute()
  })
}

/** Takes a grant back, with effect from the next request. @throws {DataError} where there is none. */
export async function withdrawAccess(
  database: Database,
  username: string,
  target: GrantTarget,
): Promise<void> {
  await database.writer.transaction().execute(async (db) => {
    const { account, columns } = await resolve(db, username, target)
    const { numDeletedRows } = await db
      .deleteFrom("access_grant")
      .where((eb) => eb.and(matching(account, columns)))
      .executeTakeFirst()
    if (Number(numDeletedRows) === 0) {
      throw new DataError(`${username} has no such grant. "access list" shows the grants.`)
    }
  })
}

/** All grants, or those of one account, by name. @throws {DataError} when there is no such account. */
export async function listGrants({ writer }: Database, username?: string): Promise<GrantListing[]> {
  if (username !== undefined) await findAccount(writer, username)
  const rows = await writer
    .selectFrom("access_grant as g")
    .innerJoin("account", "account.id", "g.account_id")
    .leftJoin("organization", "organization.id", "g.organization_id")
    .select(["account.username", "organization.slug", "g.event_id"])
    .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? ""))
    .orderBy("account.username")
    .orderBy("organization.slug")
    .orderBy("g.event_id")
    .execute()
  return rows.map(({ username, slug, event_id }) => ({
    username,
    target: slug === null ? "event" : "organization",
    name: slug ?? event_id ?? "",
  }))
}

async function resolve(db: Database["writer"], username: string, target: GrantTarget) {
  const account = await findAccount(db, username)
  const byEvent = "event" in target
  const found = byEvent
    ? await db.selectFrom("event").select("id").where("id", "=", target.event).executeTakeFirst()
    : await db.selectFrom("organization").select("id").where("slug", "=", target.organization)
      .executeTakeFirst()
  if (!found) {
    throw new DataError(
      byEvent
        ? `There is no event ${target.event}.`
        : `There is no organization ${target.organization}.`,
    )
  }
  const columns: Columns = byEvent ? { event_id: found.id } : { organization_id: found.id }
  return { account, columns }
}

function matching(account: Account, columns: Columns) {
  return { account_id: account.id, ...columns }
}
