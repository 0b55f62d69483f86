import { Buffer } from "node:buffer"
import { owner } from "./virtual/time.ts"
import type { Simulate, Simulation } from "./simulation.ts"
import type { World } from "./world.ts"

/** A fault that is built in on purpose. */
interface Sabotage {
  /** Breaks what the service promises. */
  readonly simulate: Simulate
  /** What is said by the invariant that has to notice it. */
  readonly noticed: RegExp
}

/** Readers notice whatever is wrong in lists. */
const byReaders = /copies of lists/

/** Faults by name. */
export const sabotages: Readonly<Record<string, Sabotage>> = {
  "pages lose a record": {
    noticed: byReaders,
    simulate: (world) => tamperWithLists(world, (records) => records.slice(1)),
  },
  "pages repeat former content": { noticed: byReaders, simulate: repeatFormerContent },
  "pages have a record that does not exist": {
    noticed: byReaders,
    simulate: (world) =>
      tamperWithLists(world, ([first, ...others]) => [
        { ...first, id: `f${first?.id.slice(1)}` },
        ...others,
      ]),
  },
  "deletions are not told": {
    noticed: byReaders,
    simulate: (world) =>
      tamper(world, /\/deletions\b/, (text) => text.startsWith("[") ? "[]" : text),
  },
  "some responses are 500": { noticed: /answers .* with 500/, simulate: failSometimes },
  "entries of the ledger go": {
    noticed: /ledger/,
    simulate: (world) => damageLedger(world),
  },
  "a timer is left with every request": { noticed: /has \d+ timers/, simulate: leaveTimers },
}

function repeatFormerContent(world: World): Simulation {
  const first = new Map<unknown, Row>()
  return tamperWithLists(world, (records) =>
    records.map((record) => {
      const known = first.get(record.id) ?? record
      first.set(record.id, known)
      return known
    }))
}

/** Every twentieth response of a service. */
function failSometimes(world: World): Simulation {
  let count = 0
  world.tamper = async (_path, response) => {
    if (response.status !== 200 || ++count % 20 > 0) return response
    const { headers } = response
    return new Response(await response.arrayBuffer(), { status: 500, headers })
  }
  return {}
}

function leaveTimers(world: World): Simulation {
  world.onExchange(({ service }) => {
    const life = world.services.find(({ name }) => name === service)?.life
    if (life && !life.isDead) owner.run(life, () => void setInterval(() => {}, 3_600_000))
  })
  return {}
}

interface Row {
  readonly id: string
}

/** Changes the records of JSON lists that have any. */
function tamperWithLists(world: World, change: (records: readonly Row[]) => readonly unknown[]) {
  return tamper(world, /\/(guests|items)(\?|$)/, (text) => {
    if (!text.startsWith("[{")) return text
    return JSON.stringify(change(JSON.parse(text)))
  })
}

function tamper(
  world: World,
  paths: RegExp,
  change: (text: string) => string,
): Simulation {
  world.tamper = async (path, response) => {
    if (response.status !== 200 || !paths.test(path)) return response
    const body = Buffer.from(await response.arrayBuffer())
    const { headers, status } = response
    return new Response(change(body.toString()), { status, headers })
  }
  return {}
}

/** Deletes what the ledger has, again and again. */
function damageLedger(world: World): Simulation {
  return {
    steps: [{
      name: "sabotage: the ledger",
      weight: 10,
      run: async () => void await world.database.writer.deleteFrom("disclosure").execute(),
    }],
  }
}
