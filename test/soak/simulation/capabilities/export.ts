import { ExportReader, type ExportReading } from "../readers/export-reader.ts"
import { firstEvent } from "../readers/first-events.ts"
import { keep } from "../readers/keep.ts"
import type { Simulation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

/** Whose program downloads what of which of the events of the account. */
const readings: readonly (readonly [AccountName, event: number, ExportReading])[] = [
  ["acme-export", 0, { list: "guests", accept: "application/x-ndjson", limit: 50 }],
  ["borealis-export", 0, { list: "items", accept: "text/csv; end=line" }],
  ["partner-a", 0, { list: "guests", accept: "text/csv" }],
  ["partner-b", 1, { list: "items", accept: "application/x-ndjson", limit: 11 }],
  ["partner-c", 1, { list: "items", category: "buyNows", accept: "text/csv; end=line", limit: 5 }],
]

/** Partners who download whole lists. */
export default function simulate(world: World): Simulation {
  const readers = readings.map(([account, event, reading]) =>
    new ExportReader(world, {
      ...reading,
      client: world.client(account),
      family: accounts[account].family,
      event: () => firstEvent(world, account, event),
      name: `${account}, export of ${reading.list} of event ${event} as ${reading.accept},`,
    })
  )
  return keep(world, readers, {
    weight: 0.5,
    compared: 0.5,
    invariant: "exports have what the tables have",
  })
}
