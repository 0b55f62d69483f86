import { ListReader, type ListReading } from "../readers/list-reader.ts"
import { chosenFamily } from "../chosen.ts"
import { firstEvent } from "../readers/first-events.ts"
import { keep } from "../readers/keep.ts"
import type { Simulation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

/** Programs that keep a copy of a list: whose, of which of the events of the account, and how. */
const readings: readonly (readonly [AccountName, event: number, ListReading])[] = [
  ["acme-export", 0, guests("cursor", "application/json", { sendsTags: true })],
  ["acme-export", 0, items("offset", "application/x-ndjson", { limit: 7 })],
  ["acme-export", 1, items("cursor", "application/json", { sendsTags: true })],
  ["borealis-export", 0, guests("cursor", "text/csv", { sendsTags: true, limit: 40 })],
  ["borealis-export", 1, items("cursor", "text/csv", { limit: 20 })],
  ["partner-a", 0, guests("offset", "application/json", { sendsTags: true, limit: 30 })],
  ["partner-a", 1, guests("cursor", "application/json", { deletionsFirst: true, limit: 5 })],
  ["partner-b", 0, items("cursor", "application/json", { limit: 3 })],
  ["partner-b", 2, items("cursor", "application/x-ndjson", { category: "auctionItems" })],
  ["partner-b", 1, guests("offset", "application/x-ndjson", { deletionsFirst: true })],
  ["partner-c", 0, items("offset", "application/json", { sendsTags: true, limit: 10 })],
  ["partner-c", 1, guests("cursor", "application/x-ndjson", { sendsTags: true, limit: 10 })],
  ["partner-a", 0, chosen("cursor", "application/json", { sendsTags: true, limit: 20 })],
  ["partner-b", 2, chosen("offset", "text/csv", { deletionsFirst: true, limit: 4 })],
  ["partner-c", 0, chosen("offset", "application/json", { sendsTags: true, limit: 5 })],
]

type Accept = ListReading["accept"]

function guests(by: ListReading["by"], accept: Accept, other: Partial<ListReading>): ListReading {
  return { list: "guests", by, accept, limit: 1000, ...other }
}

/** The guests of the family with a filter. */
function chosen(by: ListReading["by"], accept: Accept, other: Partial<ListReading>): ListReading {
  return { ...guests(by, accept, other), family: chosenFamily }
}

function items(by: ListReading["by"], accept: Accept, other: Partial<ListReading>): ListReading {
  return { list: "items", by, accept, limit: 1000, ...other }
}

/** Partners who keep copies of lists, in each way that the guide describes. */
export default function simulate(world: World): Simulation {
  const readers = readings.map(([account, event, reading]) => {
    const { family = accounts[account].family, list, category = list, by, accept } = reading
    const of = reading.family === undefined ? "" : `${family} `
    const format = accept.replace(/.*\/(x-)?/, "")
    return new ListReader(world, {
      ...reading,
      client: world.client(account),
      family,
      event: () => firstEvent(world, account, event),
      name: `${account}, ${of}${category} of event ${event} by ${by} as ${format},`,
    })
  })
  return keep(world, readers, {
    weight: 1,
    compared: 2,
    invariant: "copies of lists have what the tables have",
  })
}
