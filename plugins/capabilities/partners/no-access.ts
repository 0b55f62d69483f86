import { accessOf } from "../../../core/accounts.ts"
import type { Snapshot } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { partnerRoles, type Reading, thresholds } from "./definitions.ts"

/** Why an account can read nothing now, or not a certain event. Times are Unix seconds; null means unknown. */
export interface NoAccess {
  /**
   * - `disabled`: the account is disabled, and its program still sends requests
   * - `network`: a grant is in force, but not valid from the address of the last request
   * - `ended`, `withdrawn`: what happened to the last valid grant
   * - `none`: there is no grant, and none was withdrawn in the last 90 days
   * - `unknown`: there is no grant, and no audit log says whether there was one
   */
  readonly cause: "disabled" | "network" | "ended" | "withdrawn" | "none" | "unknown"
  /** `organization acme` or `event ID`; null if the cause is not about a grant. */
  readonly grant: string | null
  /** How many more grants are not valid. */
  readonly others: number
  /**
   * The limits of the grant: the networks from which it is valid (null means any), and when it ends (null means never).
   */
  readonly networks: readonly string[] | null
  readonly ends: number | null
  /** When the grant ended, was withdrawn or got its network, or when the account was disabled; and who did it. */
  readonly at: number | null
  readonly by: string | null
  /** The last request for a list; for a disabled account, the last refused request. */
  readonly last: LastRequest | null
}

/** When an account sent a request, and from where. */
export interface LastRequest {
  readonly at: number
  readonly address: string | null
}

/** Returns an account's last request for a list from its row of `account_activity`; null if there was none. */
export function lastRequestOf(
  { listed, listed_address: address }: Pick<
    Schema["account_activity"],
    "listed" | "listed_address"
  >,
): LastRequest | null {
  return listed === null ? null : { at: listed, address }
}

/** A partner that may have lost access. */
export interface Suspect {
  readonly id: string
  readonly username: string
  readonly isDisabled: boolean
  /** The last request refused with 401. */
  readonly refused: LastRequest | null
  /** The last page or error. */
  readonly lastSeen: number | null
  /** The last request for a list, exact to a minute. */
  readonly lastRequest: LastRequest | null
}

/**
 * Finds the partners without access, by account id: none of their grants is valid, or their account is disabled.
 * Considers only partners whose program sent a request lately. Runs at most four statements, however many partners
 * there are.
 */
export async function findNoAccess(
  snapshot: Snapshot,
  by: Reading,
  suspects: readonly Suspect[],
): Promise<ReadonlyMap<string, NoAccess>> {
  const knocking = suspects.filter((suspect) => isKnocking(suspect, by))
  if (knocking.length === 0) return new Map()
  const enabled = knocking.filter(({ isDisabled }) => !isDisabled)
  const found = [
    ...knocking.filter(({ isDisabled }) => isDisabled).map((suspect) => ({ suspect, held: [] })),
    ...await findWithoutGrant(snapshot, by, enabled),
  ]
  const changes = await readGrantChanges(snapshot, by, found.map(({ suspect }) => suspect.username))
  return new Map(found.flatMap(({ suspect, ...grants }) => {
    const own = changes && (changes.get(suspect.username) ?? [])
    const reason = suspect.isDisabled
      ? whyDisabled(suspect, own)
      : whyNoGrantCounts({ now: by.now, last: null, ...grants }, own)
    return reason ? [[suspect.id, reason]] : []
  }))
}

function isKnocking({ isDisabled, refused, lastSeen }: Suspect, { now }: Reading): boolean {
  return isDisabled
    ? refused !== null && refused.at > now - thresholds.knocking
    : lastSeen !== null && lastSeen > now - thresholds.abandoned
}

/** One grant, or several with the same limits. */
export interface HeldGrant {
  /** `organization acme` or `event ID`. */
  readonly target: string
  readonly count: number
  readonly ends: number | null
  /** Comma-separated. */
  readonly networks: string | null
}

interface Holding {
  readonly now: number
  /** The grants of the account, or those for the event. */
  readonly held: readonly HeldGrant[]
  readonly last: LastRequest | null
}

/** Returns true if a grant is valid now, from the address of the account's last request if that is known. */
export function counts(
  { ends, networks }: Pick<HeldGrant, "ends" | "networks">,
  { now, last }: Pick<Holding, "now" | "last">,
): boolean {
  const address = last?.address ?? null
  const limits = { ends, networks: address === null ? null : networks }
  const grant = { organization_id: "any", event_id: null, ...limits }
  return accessOf([grant], { now, address: address ?? "" }).organizationIds.length > 0
}

/** Returns the suspects without a valid grant, with the grants that they hold. */
async function findWithoutGrant(
  { db, run }: Snapshot,
  { now }: Reading,
  suspects: readonly Suspect[],
): Promise<readonly (Omit<Holding, "now"> & { readonly suspect: Suspect })[]> {
  const [first, ...others] = suspects
  if (!first) return []
  // Most partners have a grant that is valid anywhere: leave those out before reading grants.
  const limited = await run(
    db
      .selectFrom("account")
      .select("account.id")
      .where("account.role", "in", partnerRoles)
      .$if(others.length === 0, (query) => query.where("account.id", "=", first.id))
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom("access_grant as g")
            .select("g.id")
            .whereRef("g.account_id", "=", "account.id")
            .where("g.networks", "is", null)
            .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)])),
        ))
      ),
  )
  const ids = new Set(limited.map(({ id }) => id))
  const doubtful = suspects.filter(({ id }) => ids.has(id))
  if (doubtful.length === 0) return []
  const grants = await run(
    db
      .selectFrom("access_grant as g")
      .leftJoin("organization", "organization.id", "g.organization_id")
      .select(["g.account_id", "g.networks", "g.ends"])
      .select((eb) => [
        eb.fn.min<string | null>("organization.slug").as("slug"),
        eb.fn.min<string | null>("g.event_id").as("event"),
        eb.fn.countAll<number>().as("count"),
      ])
      .where("g.account_id", "in", doubtful.map(({ id }) => id))
      .groupBy(["g.account_id", "g.networks", "g.ends"]),
  )
  const ofAccount = Map.groupBy(grants, ({ account_id }) => account_id)
  return doubtful.flatMap((suspect) => {
    const { lastRequest: last } = suspect
    const held = (ofAccount.get(suspect.id) ?? []).map((grant) => ({
      ...grant,
      target: targetOf(grant),
    }))
    return held.some((grant) => counts(grant, { now, last })) ? [] : [{ suspect, held, last }]
  })
}

/** Names what a grant is for. */
export function targetOf({ slug, event }: {
  readonly slug: string | null
  readonly event: string | null
}): string {
  return slug === null ? `event ${event}` : `organization ${slug}`
}

/** A change of an account or of its grants, in the audit log. */
export type GrantChange = Pick<Schema["audit_log"], "action" | "actor" | "at" | "detail">

/** The most changes to read. */
const mostChanges = 2000

/**
 * Returns the changes of the last 90 days to accounts and their grants by current account name, latest first; undefined
 * without an audit log.
 */
export async function readGrantChanges(
  { db, run }: Snapshot,
  { now, hasAudit }: Reading,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, readonly GrantChange[]> | undefined> {
  if (!hasAudit) return undefined
  if (usernames.length === 0) return new Map()
  const rows = await run(
    db
      .selectFrom("audit_log")
      .leftJoin("audit_name as renamed", "renamed.former", "audit_log.account")
      .select(["action", "actor", "at", "detail"])
      .select((eb) => eb.fn.coalesce("renamed.account", "audit_log.account").as("account"))
      // Changes have status 0 and are few. The index by account would mix them with all reads.
      .where("status", "=", 0)
      .where("at", ">=", now - 90 * 86_400)
      .where((eb) =>
        eb(eb.fn.coalesce("renamed.account", "audit_log.account", eb.val("")), "in", usernames)
      )
      .where("action", "in", ["grant", "withdraw", "account-disable"])
      .orderBy("at", "desc")
      .orderBy("seq", "desc")
      .limit(mostChanges),
  )
  return Map.groupBy(rows, ({ account }) => account ?? "")
}

function whyDisabled(
  { refused }: Suspect,
  changes: readonly GrantChange[] = [],
): NoAccess | undefined {
  const { at = null, actor = null } = changes.find(({ action }) => action === "account-disable") ??
    {}
  if (at !== null && refused !== null && refused.at < at) return undefined
  return { ...nothing, cause: "disabled", at, by: actor, last: refused }
}

const nothing = { grant: null, others: 0, networks: null, ends: null, at: null, by: null }

/** Returns why none of an account's grants is valid, including the withdrawn ones. */
export function whyNoGrantCounts(
  { now, held, last }: Holding,
  known: readonly GrantChange[] | undefined,
): NoAccess {
  const changes = known ?? []
  const changeOf = (target: string) => changes.find(({ detail }) => nameIn(detail) === target)
  const ofHeld = (grant: HeldGrant) => ({
    grant: grant.target,
    networks: grant.networks?.split(",") ?? null,
    ends: grant.ends,
    by: changeOf(grant.target)?.actor ?? null,
    last,
  })
  const total = held.reduce((sum, { count }) => sum + count, 0)
  const inForce = held.find((grant) => counts(grant, { now, last: null }))
  if (inForce) {
    const at = changeOf(inForce.target)?.at ?? null
    return { cause: "network", ...ofHeld(inForce), others: total - 1, at }
  }
  const names = new Set(changes.map(({ detail }) => nameIn(detail)))
  const withdrawn = [...names].flatMap((target) => {
    const change = changeOf(target)
    return change?.action === "withdraw" ? [{ target, change }] : []
  })
  const others = total + withdrawn.length - 1
  const [latest] = withdrawn.toSorted((a, b) => b.change.at - a.change.at)
  const [ended] = held.toSorted((a, b) => (b.ends ?? 0) - (a.ends ?? 0))
  if (latest && latest.change.at >= (ended?.ends ?? 0)) {
    const { target, change: { at, actor: by } } = latest
    const given = changes.find(({ action, detail }) =>
      action === "grant" && nameIn(detail) === target
    )
    const networks = / from (.+)$/.exec(given?.detail ?? "")?.[1]?.split(" ") ?? null
    return { cause: "withdrawn", grant: target, others, networks, ends: null, at, by, last }
  }
  return ended
    ? { cause: "ended", ...ofHeld(ended), others, at: ended.ends }
    : { ...nothing, cause: known ? "none" : "unknown", last }
}

/** Returns the target of a grant from the details of its change, without the limits that follow. */
function nameIn(detail: string | null): string {
  return detail?.split(",")[0] ?? ""
}
