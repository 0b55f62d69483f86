import { sql } from "kysely"
import type { Role } from "../../core/accounts.ts"
import type { Database } from "../../core/capability.ts"
import { organizationsOf } from "../../core/inspection.ts"
import type { Policy } from "../../core/plugin.ts"
import { createAccount } from "../../plugins/capabilities/accounts/change-account.ts"
import { grantAccess } from "../../plugins/capabilities/accounts/grants.ts"
import { type Rows, sampleEvent, sampleId, sampleRecords } from "./sample-records.ts"

/** The accounts, besides the service users that the policies name. */
export const callers = {
  /** Has no grant at all. */
  outsider: "conformance-outsider",
  /** Has a grant for the organization that no policy names. */
  neighbour: "conformance-neighbour",
  /** Has grants for every organization, like the operator. */
  insider: "conformance-insider",
  operator: "conformance-operator",
} as const

/** The organization for policies that name none, and one that no policy names. */
export const unnamed = { ours: "conformance-ours", others: "conformance-others" } as const

/** The events of an organization: one with all the sample records, one with none. */
export interface SampleEvents {
  readonly full: string
  readonly empty: string
}

/** Fills a database with organizations and accounts, named by policies and not. Returns the events by organization. */
export async function fillWithSamples(
  database: Database,
  policies: readonly Policy[],
): Promise<ReadonlyMap<string, SampleEvents>> {
  const named = policies.flatMap((policy) => organizationsOf(policy) ?? [])
  const slugs = [...new Set([...named, unnamed.ours, unnamed.others])]
  const events = new Map<string, SampleEvents>()
  for (const [index, slug] of slugs.entries()) {
    events.set(slug, await addOrganization(database, slug, index))
  }
  await addAccounts(database, policies, slugs)
  return events
}

async function addOrganization(
  database: Database,
  slug: string,
  group: number,
): Promise<SampleEvents> {
  const id = sampleId(group, 0)
  const full = sampleId(group, 1)
  const empty = sampleId(group, 2)
  await insert(database, { organization: [{ id, slug, name: slug }] })
  await insert(database, sampleEvent(full, id))
  await insert(database, sampleEvent(empty, id, true))
  await insert(database, sampleRecords(full, group))
  return { full, empty }
}

async function addAccounts(
  database: Database,
  policies: readonly Policy[],
  organizations: readonly string[],
): Promise<void> {
  const add = async (username: string, role: Role, granted: readonly string[]) => {
    await createAccount(database, { username, role, passwordHash: "none" })
    for (const organization of granted) await grantAccess(database, username, { organization })
  }
  await add(callers.outsider, "partner", [])
  await add(callers.neighbour, "partner", [unnamed.others])
  await add(callers.insider, "partner", organizations)
  await add(callers.operator, "operator", organizations)
  const users = policies.flatMap((policy) => policy.kind === "service-user" ? policy.username : [])
  for (const username of new Set(users)) await add(username, "service", organizations)
}

/** Foreign keys may point at rows that come later. */
async function insert({ writer }: Database, rows: Rows): Promise<void> {
  await writer.transaction().execute(async (db) => {
    await sql`pragma defer_foreign_keys = on`.execute(db)
    for (const [table, values] of Object.entries(rows)) {
      await db.insertInto(table as "pledge").values(values as never).execute()
    }
  })
}
