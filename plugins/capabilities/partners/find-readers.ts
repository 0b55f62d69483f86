import type { Database } from "../../../core/capability.ts"
import { type ListHealth, readLists } from "./list-health.ts"
import type { HealthOptions } from "./partner-health.ts"

/**
 * Returns who reads an event: each account with each list of the event that it has requested, by account, family and
 * list, and how far it is. Includes operators. The id is in lower case.
 *
 * @throws {Unavailable}
 */
export async function findReaders(
  database: Database,
  eventId: string,
  options: HealthOptions,
): Promise<readonly ListHealth[]> {
  return await database.snapshot(async (snapshot) => {
    const lists = await readLists(snapshot, { eventId }, options)
    return [...lists].sort((a, b) => sortKey(a) < sortKey(b) ? -1 : 1)
  })
}

function sortKey({ account, prefix, list }: ListHealth): string {
  return `${account} ${prefix} ${list}`
}
