import type { Snapshot } from "../../../core/capability.ts"
import type { Reading } from "./definitions.ts"
import {
  counts,
  type HeldGrant,
  type LastRequest,
  lastRequestOf,
  type NoAccess,
  readGrantChanges,
  targetOf,
  whyNoGrantCounts,
} from "./no-access.ts"

/** An event that an account requested, and why the account may not read it. */
export interface LostEvent {
  readonly eventId: string
  /** Null if there is no such event. */
  readonly eventName: string | null
  /** Null if it may read the event now. */
  readonly noAccess: NoAccess | null
}

/** An account and an event that it may not read. `last` has the address from which it would. */
interface Question {
  readonly eventId: string
  readonly last: LastRequest | null
}

/** Finds out why accounts may not read events; returns the answers in the order of the questions. */
export async function explainEvents(
  snapshot: Snapshot,
  by: Reading,
  { accountId, account }: { readonly accountId: string; readonly account: string },
  questions: readonly Question[],
): Promise<readonly LostEvent[]> {
  if (questions.length === 0) return []
  const { db, run } = snapshot
  const events = await run(
    db
      .selectFrom("event")
      .innerJoin("organization", "organization.id", "event.organization_id")
      .select(["event.id", "event.name", "organization.slug"])
      .where("event.id", "in", [...new Set(questions.map(({ eventId }) => eventId))]),
  )
  const known = new Map(events.map((event) => [event.id, event]))
  const grants = await run(
    db
      .selectFrom("access_grant as g")
      .leftJoin("organization", "organization.id", "g.organization_id")
      .select(["g.event_id as event", "organization.slug", "g.ends", "g.networks"])
      .where("g.account_id", "=", accountId),
  )
  const all = grants.map((grant): HeldGrant => ({ ...grant, target: targetOf(grant), count: 1 }))
  const changes = await readGrantChanges(snapshot, by, [account])
  return questions.map(({ eventId, last }) => {
    const { name = null, slug } = known.get(eventId) ?? {}
    const targets = [`event ${eventId}`, `organization ${slug}`]
    const held = all.filter(({ target }) => targets.includes(target))
    const { now } = by
    if (held.some((grant) => counts(grant, { now, last }))) {
      return { eventId, eventName: name, noAccess: null }
    }
    const own = changes &&
      (changes.get(account) ?? []).filter(({ detail }) =>
        targets.some((target) => detail === target || detail?.startsWith(`${target},`))
      )
    return { eventId, eventName: name, noAccess: whyNoGrantCounts({ now, held, last }, own) }
  })
}

/** The facts about a list that decide whether a grant covers it. */
interface ListOfEvent {
  readonly accountId: string
  readonly eventId: string | null
  readonly organizationId: string | null
}

/** Returns a predicate: does a grant let the account read a list now, from the address of its last request? */
export async function readGrants(
  { db, run }: Snapshot,
  { now }: Reading,
  lists: readonly ListOfEvent[],
): Promise<(list: ListOfEvent) => boolean> {
  const idsOf = (name: keyof ListOfEvent) => [...new Set(lists.flatMap((list) => list[name] ?? []))]
  const accounts = idsOf("accountId")
  if (accounts.length === 0) return () => false
  const grants = await run(
    db
      .selectFrom("access_grant as g")
      .leftJoin("account_activity as last", "last.account_id", "g.account_id")
      .select(["g.account_id", "g.event_id", "g.organization_id", "g.ends", "g.networks"])
      .select(["last.listed", "last.listed_address"])
      .where("g.account_id", "in", accounts)
      .where((eb) =>
        eb.or([
          eb("g.event_id", "in", ["", ...idsOf("eventId")]),
          eb("g.organization_id", "in", ["", ...idsOf("organizationId")]),
        ])
      ),
  )
  const counting = grants.filter(({ listed, listed_address, ...grant }) =>
    counts(grant, { now, last: lastRequestOf({ listed, listed_address }) })
  )
  const granted = new Set(
    counting.map((g) => `${g.account_id} ${g.event_id ?? g.organization_id}`),
  )
  return ({ accountId, eventId, organizationId }) =>
    granted.has(`${accountId} ${eventId}`) || granted.has(`${accountId} ${organizationId}`)
}
