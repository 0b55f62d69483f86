import { isDeepStrictEqual } from "node:util"
import { type List, listOf } from "../../../support/partner/rows.ts"
import { Random } from "../../../support/random.ts"
import { recordsOf } from "../../../support/truth.ts"
import { chosenFamily } from "../chosen.ts"
import { ask, isPassing } from "../readers/asking.ts"
import { FeedKeeper, type FeedKeeping } from "../readers/feed-keeper.ts"
import { firstEvent } from "../readers/first-events.ts"
import { keep } from "../readers/keep.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

const [json, lines] = ["application/json", "application/x-ndjson"] as const
const both: readonly List[] = ["guests", "items"]

/** Whose program reads the feed of which of the events of the account, and how. */
const readings: readonly (readonly [
  AccountName,
  number,
  readonly List[],
  FeedKeeping,
  family?: string,
])[] = [
  ["acme-export", 0, both, { accept: json, limit: 1000, sendsTags: true }],
  ["acme-export", 1, both, { accept: lines, limit: 9, beginsNow: true }],
  ["borealis-export", 1, both, { accept: lines, limit: 100, sendsTags: true, waits: 20 }],
  ["partner-a", 1, ["guests"], { accept: json, limit: 4 }],
  ["partner-b", 3, both, { accept: json, limit: 20, beginsNow: true, sendsTags: true }],
  ["partner-c", 0, both, { accept: json, limit: 50, waits: 50 }],
  ["partner-b", 0, ["guests"], { accept: json, limit: 6, sendsTags: true }, chosenFamily],
  ["partner-c", 1, ["guests"], { accept: lines, limit: 50, waits: 50 }, chosenFamily],
]

/** Partners who keep copies by the feed, and one who looks up single records. */
export default function simulate(world: World): Simulation {
  const readers = readings.map(([account, event, lists, reading, other]) => {
    const how = reading.waits ? "waiting" : reading.beginsNow ? "from now on" : "from the beginning"
    const of = other === undefined ? "" : `${other} `
    return new FeedKeeper(world, {
      ...reading,
      lists,
      client: world.client(account),
      family: other ?? accounts[account].family,
      event: () => firstEvent(world, account, event),
      name: `${account}, the feed of ${of}event ${event} ${how},`,
    })
  })
  const kept = keep(world, readers, {
    weight: 1,
    compared: 1,
    invariant: "copies by the feed have what the tables have",
  })
  return {
    ...kept,
    invariants: [...kept.invariants ?? [], lookUp(world)],
  }
}

/** Looks up single records: those of the tables are there, and no others. */
function lookUp(world: World) {
  const clients = new Map<AccountName, ReturnType<World["client"]>>()
  const names: readonly AccountName[] = ["acme-export", "partner-a", "partner-b", "partner-c"]
  /** Ids that some event had once. */
  const known: string[] = []
  let turn = 0

  const look = async (random: Random): Promise<void> => {
    const account = random.pick(names)
    const client = clients.get(account) ?? world.client(account)
    clients.set(account, client)
    const { family } = accounts[account]
    const event = random.pick(world.eventsOf(account))
    const records = recordsOf(await world.tables.recordsOf(event), family)
    const list = account === "partner-a" || random.below(2) === 0 ? "guests" : "items"
    const keys = [...records.keys()].filter((key) => listOf(key) === list)
    if (keys.length > 0) known.push(random.pick(keys))
    if (known.length > 200) known.splice(0, 100)
    const key = random.pick(known.length > 0 ? known : ["guests none"])
    const [, id = ""] = key.split(" ")
    const there = keys.filter((each) => each.endsWith(` ${id}`))
    const got = await ask(client, `${family}/events/${event}/${list}/${id}`, {
      expected: ["404 record_not_found"],
    })
    if (there.length === 0 && got.status === 404) return
    const { category = "guests", ...record } = (got.json ?? {}) as Record<string, unknown>
    if (!isDeepStrictEqual(record, records.get(`${category} ${id}`))) {
      throw new Violation(
        `${client.name} got ${got.status} for ${list}/${id}: tables have ${there.length}`,
      )
    }
  }

  return {
    name: "single records are those of the tables",
    async atRest() {
      if (!world.configuration.capabilities.includes("feed")) return
      await look(new Random(++turn)).catch((error) => {
        if (!isPassing(error)) throw error
      })
    },
  }
}
