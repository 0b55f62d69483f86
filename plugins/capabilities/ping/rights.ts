import { sql } from "kysely"
import { denyCaller, denyEvent, type Role, roleOf } from "../../../core/accounts.ts"
import type { Policy } from "../../../core/plugin.ts"
import type { Database, Plan, Snapshot } from "../../../core/capability.ts"
import type { ListName } from "./pending.ts"

/** A grant of a receiver's account, or an event with its organization. */
interface Row {
  readonly kind: "receiver" | "event"
  readonly id: string
  /** The user name or the organization's slug. */
  readonly name: string
  readonly role: Role | null
  readonly organization_id: string | null
  readonly event_id: string | null
}

type Holder = Pick<Row, "id" | "name"> & { readonly role: Role }

/** Finds which receivers may now be told about which events: those whose accounts may poll them. */
export class Rights {
  readonly #database: Pick<Database, "readOnce">
  /** The distinct policies of the routes that serve each list. */
  readonly #policies: ReadonlyMap<ListName, readonly Policy[]>

  constructor(database: Pick<Database, "readOnce">, { routes }: Pick<Plan, "routes">) {
    this.#database = database
    this.#policies = new Map(
      (["guests", "items", "events"] as const).map((name) => {
        const all = routes.filter((route) =>
          route.kind === "listing" && !route.export && route.list.name === name
        ).map(({ auth }) => auth)
        return [name, [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]]
      }),
    )
  }

  /**
   * Finds, with one statement, what these receivers may read of these events. Returns, by event and receiver, a
   * predicate on lists. A receiver without an entry may read nothing. Ignores the networks of grants.
   * @throws as the database does.
   */
  async find(
    receivers: readonly string[],
    events: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, (list: ListName) => boolean>>> {
    if (receivers.length === 0 || events.length === 0) return new Map()
    const rows = await this.#database.readOnce((reader) =>
      reader.run(statementOf(reader, receivers, events))
    )
    const holders = Map.groupBy(
      rows.flatMap(({ kind, id, name, role, organization_id, event_id }) =>
        kind === "receiver" && role !== null && role !== "viewer"
          ? [{ id, name, role, grant: organization_id ?? event_id ?? "" }]
          : []
      ),
      ({ grant }) => grant,
    )
    return new Map(
      rows.filter(({ kind }) => kind === "event").map((event) => {
        const own = [event.id, event.organization_id ?? ""].flatMap((key) => holders.get(key) ?? [])
        return [
          event.id,
          new Map(
            own.map((holder) =>
              [holder.id, (list: ListName) => this.#mayRead(holder, event.name, list)] as const
            ),
          ),
        ]
      }),
    )
  }

  #mayRead(account: Holder, organization: string, list: ListName): boolean {
    const { name: username, role } = account
    return this.#policies.get(list)?.some((policy) =>
      !denyCaller(policy, { username, role }) && !denyEvent(policy, { organization })
    ) === true
  }
}

/** Returns a row per grant of a receiver's account and a row per event, not their product. */
function statementOf(
  { db, dialect }: Snapshot,
  receivers: readonly string[],
  events: readonly string[],
) {
  const rows = sql<Row>`
    select 'receiver' as kind, receiver.id, account.username as name, ${roleOf} as role,
      g.organization_id, g.event_id
    from ${dialect.tableOf(receivers)} as wanted
    join ping_receiver as receiver on receiver.id = wanted.id
    join account on account.id = receiver.account_id
    join access_grant as g on g.account_id = account.id
    where receiver.state <> 'off' and account.disabled = 0 and (g.ends is null or g.ends > ${dialect.now})
      and (g.event_id is null or g.event_id in (select id from ${dialect.tableOf(events)} as named))
    union all
    select 'event', event.id, organization.slug, null, event.organization_id, null
    from ${dialect.tableOf(events)} as wanted
    join event on event.id = wanted.id
    join organization on organization.id = event.organization_id`
  return db.selectFrom(sql<Row>`(${rows})`.as("page")).selectAll()
}
