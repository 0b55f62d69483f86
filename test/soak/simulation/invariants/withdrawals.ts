import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { type FilterName, passes } from "../../../support/filters/passes.ts"
import { chosenFamily, filterQuery, type FilterRow, filtersOf } from "../chosen.ts"
import type { Exchange } from "../exchange.ts"
import { Random } from "../../../support/random.ts"
import { familyPathOf, receivedOf } from "../received.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

interface GuestRow {
  readonly event: string
  readonly organization: string
  readonly id: string
  readonly status: string | null
  readonly channels: string | null
}

/** What a guest's consent was from a moment on, on the steady clock. */
type State = Pick<GuestRow, "status" | "channels"> & { readonly at: number }

const guestsQuery = `select guest.event_id as event, slug as organization, guest.id, consent.status,
  consent.channels
  from guest join event on event.id = guest.event_id
  join organization on organization.id = organization_id
  left join consent on consent.event_id = guest.event_id and guest_id = guest.id`

const changes =
  /^\s*(insert into|replace into|update|delete from) "?(guest|consent|list_filter)"?\s/i

/** Rows about what may have been forgotten, or not been noticed. */
const forgottenQuery = `select 1 from event_version where coalesce(forgotten, forgotten_guests,
    forgotten_departures) is not null union all select 1 from clock_step
  union all select 1 from record_start where event_id = ''
  union all select 1 from change_state where complete_since > 0`

/** The events whose guests the family has sent to somebody. */
const sentQuery = `select distinct event_id as event from disclosure
  where prefix = '${chosenFamily}' and list = 'guests'`

/** So many guests are looked up at each rest. */
const sample = 2

/**
 * A family with a filter sends no guest whom it did not let through at any moment of the request, and names none that it
 * has never let through. The ledger names nobody for these.
 */
export default function simulate(world: World): Simulation {
  const { tables, time, machine: { statements } } = world
  /** By event and id, oldest first. */
  const states = new Map<string, State[]>()
  const matched = new Set<string>()
  let mayHaveChanged = false
  const random = new Random(1)

  const read = () => {
    const filters = new Map<string, readonly FilterName[]>(
      tables.all<FilterRow>(filterQuery).map((row) => [row.organization, filtersOf(row)]),
    )
    const present = new Set<string>()
    for (const { event, organization, id, status, channels } of tables.all<GuestRow>(guestsQuery)) {
      const key = `${event} ${id}`
      present.add(key)
      note(key, { at: time.steady, status, channels })
      const isMatched = filters.get(organization)?.some((each) =>
        passes(each, { status, channels })
      )
      if (isMatched) matched.add(key)
    }
    for (const key of states.keys()) if (!present.has(key)) note(key, undefined)
  }

  const note = (key: string, state: State | undefined) => {
    const known = states.get(key) ?? []
    states.set(key, known)
    const last = known.at(-1)
    const next = state ?? { at: time.steady, status: "gone", channels: null }
    if (last?.status !== next.status || last.channels !== next.channels) known.push(next)
  }

  const observe = (exchange: Exchange) => {
    const path = familyPathOf(exchange)
    const filter = world.configuration.version(exchange.config)?.filter
    if (path?.prefix !== chosenFamily || filter === undefined) return
    const { records, deletions } = receivedOf(path, exchange)
    for (const { id } of records) {
      const key = `${path.event} ${id}`
      const { began, ended } = exchange
      const known = states.get(key) ?? []
      const wasChosen = known.some((state, index) =>
        state.at <= ended && (known[index + 1]?.at ?? Infinity) >= began &&
        state.status !== "gone" && passes(filter, state)
      )
      if (!wasChosen) {
        world.fail(new Violation(`guest ${id} was sent by ${filter}: ${exchange.path}`))
      }
      matched.add(key)
    }
    for (const { id } of deletions) {
      if (matched.has(`${path.event} ${id}`)) continue
      world.fail(new Violation(`guest ${id} was never let through, and is named: ${exchange.path}`))
    }
  }

  return {
    prepare() {
      const { onEffect } = statements
      statements.onEffect = (statement) => {
        onEffect(statement)
        const isEnd = /^(commit|rollback)$/.test(statement.sql)
        const isChange = changes.test(statement.sql)
        if (isChange || (isEnd && mayHaveChanged)) read()
        mayHaveChanged = isChange || (mayHaveChanged && !isEnd)
      }
      read()
      return Promise.resolve()
    },
    observe,
    invariants: [{
      name: "the ledger names nobody for a guest whom a family has never had",
      async atRest() {
        read()
        const sent = new Set(tables.all<{ event: string }>(sentQuery).map(({ event }) => event))
        const strangers = [...states.keys()].filter((key) =>
          !matched.has(key) && sent.has(key.split(" ")[0] ?? "")
        )
        if (strangers.length === 0 || tables.all(forgottenQuery).length > 0) return
        for (let count = 0; count < sample; count++) {
          const key = random.pick(strangers)
          const [eventId = "", guest = ""] = key.split(" ")
          const options = { eventId, withdrawals: { hours: 24 } }
          const { records } = await findDisclosures(world.database, guest, options)
          const named = records.flatMap(({ recipients }) => recipients)
            .find(({ prefix }) => prefix === chosenFamily)
          if (!named || matched.has(key) || tables.all(forgottenQuery).length > 0) continue
          throw new Violation(`${named.account} is named for guest ${guest}, never let through`)
        }
      },
    }],
  }
}
