import { randomUUID } from "node:crypto"
import {
  asciiOf,
  type Author,
  changeInTransaction,
  findAccount,
  Networks,
} from "../../../core/accounts.ts"
import { type Database, UserError } from "../../../core/capability.ts"

/** The object of a grant: one event by its id, or all events of an organization by its slug. */
export type GrantTarget = { readonly organization: string } | { readonly event: string }

/** A grant as the operator sees it. */
export interface GrantListing {
  readonly username: string
  readonly target: "organization" | "event"
  readonly name: string
  /** Unix seconds; null means never. */
  readonly ends: number | null
  /** Null means anywhere. */
  readonly networks: readonly string[] | null
}

/** Limits of a grant: when it ends (Unix seconds), and the networks it counts from. */
export interface GrantLimits {
  readonly ends?: number | undefined
  readonly networks?: readonly string[] | undefined
}

/** The columns that identify a grant. */
type GrantKey =
  & { readonly account_id: string }
  & ({ readonly organization_id: string } | { readonly event_id: string })

/**
 * Grants an account read access. A second grant on the same object replaces the first and its limits.
 * @throws {UserError} if a name is unknown. @throws {NetworkError} if a network is malformed, or not exact.
 */
export async function grantAccess(
  database: Database,
  username: string,
  target: GrantTarget,
  { ends, networks }: GrantLimits = {},
  by?: Author,
): Promise<void> {
  if (networks) new Networks(networks, "exact")
  await changeInTransaction(database, by, async ({ writer: db }, record) => {
    const key = await findGrantKey(db, username, target)
    await db.deleteFrom("access_grant").where((eb) => eb.and(key)).execute()
    await db.insertInto("access_grant").values({
      id: randomUUID(),
      organization_id: null,
      event_id: null,
      ...key,
      ends: ends ?? null,
      networks: networks?.join(",") ?? null,
    }).execute()
    const until = ends === undefined ? "" : `, until ${new Date(ends * 1000).toISOString()}`
    const from = networks ? `, from ${networks.join(" ")}` : ""
    const detail = `${describeTarget(target)}${until}${from}`
    await record({ action: "grant", account: username, detail })
  })
}

/** Withdraws a grant, with effect from the next request. @throws {UserError} if there is none. */
export async function withdrawAccess(
  database: Database,
  username: string,
  target: GrantTarget,
  by?: Author,
): Promise<void> {
  await changeInTransaction(database, by, async ({ writer: db }, record) => {
    const key = await findGrantKey(db, username, target)
    const { numDeletedRows } = await db
      .deleteFrom("access_grant")
      .where((eb) => eb.and(key))
      .executeTakeFirst()
    if (Number(numDeletedRows) === 0) {
      throw new UserError(`${username} has no such grant. "access list" shows the grants.`)
    }
    await record({ action: "withdraw", account: username, detail: describeTarget(target) })
  })
}

function describeTarget(target: GrantTarget): string {
  return "event" in target ? `event ${target.event}` : `organization ${target.organization}`
}

/** Returns all grants, or those of one account, sorted by name. @throws {UserError} if it does not exist. */
export async function listGrants({ writer }: Database, username?: string): Promise<GrantListing[]> {
  if (username !== undefined) await findAccount(writer, username)
  const rows = await writer
    .selectFrom("access_grant as g")
    .innerJoin("account", "account.id", "g.account_id")
    .leftJoin("organization", "organization.id", "g.organization_id")
    .select(["account.username", "organization.slug", "g.event_id", "g.ends", "g.networks"])
    .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? ""))
    .orderBy("account.username")
    .orderBy("organization.slug")
    .orderBy("g.event_id")
    .execute()
  return rows.map(({ username, slug, event_id, ends, networks }) => ({
    username,
    ends,
    networks: networks?.split(",") ?? null,
    target: slug === null ? "event" : "organization",
    name: slug ?? event_id ?? "",
  }))
}

/** @throws {UserError} if the account, the event or the organization does not exist. */
async function findGrantKey(
  db: Database["writer"],
  username: string,
  target: GrantTarget,
): Promise<GrantKey> {
  const { id: account_id, role } = await findAccount(db, username)
  if (role === "viewer") throw new UserError(`${username} is a viewer, and may read no records.`)
  if ("event" in target) {
    const event = await db.selectFrom("event").select("id")
      .where("id", "=", asciiOf(target.event)).executeTakeFirst()
    if (event) return { account_id, event_id: event.id }
  } else {
    const organization = await db.selectFrom("organization").select("id")
      .where("slug", "=", asciiOf(target.organization)).executeTakeFirst()
    if (organization) return { account_id, organization_id: organization.id }
  }
  throw new UserError(`There is no ${describeTarget(target)}.`)
}
