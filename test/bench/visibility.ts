import { setTimeout as sleep } from "node:timers/promises"
import { PageReader } from "./page-reader.ts"
import { type Field, headersFor } from "./requests.ts"
import { type RoundOptions, type Side, sidesOf } from "./rounds.ts"
import { inTurns } from "./turns.ts"
import { untilIdle } from "./usage.ts"
import { changesPerSecond } from "./writer.ts"

/** The name of this measurement for `--case`. */
export const visibilityName = "commit-to-visible"

/** Milliseconds from the commit of changes to the first poll that shows them, of each server by round. */
export type Visibility = Readonly<Partial<Record<Side, readonly (readonly number[])[]>>>

const warmUpSeconds = 1
/** Milliseconds. Several, so that commits meet polls at all times. */
const pauses = [5, 18, 9, 13, 24, 7, 16, 11, 21]

/**
 * Measures how long changes take to be seen by a partner who polls on one connection, one poll after the other,
 * while a writer changes guests at irregular times. Each server has its turn in each round.
 *
 * @throws {Error} if a poll shows a part of a transaction.
 */
export async function measureVisibility(field: Field, options: RoundOptions): Promise<Visibility> {
  const sides = sidesOf(options)
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    await untilIdle(options.mysqlPid)
    return await measure(side, field, seconds)
  }
  for (const side of sides) await run(side, warmUpSeconds)
  const found = await inTurns(sides, options.rounds, (side) => run(side, options.seconds))
  return Object.fromEntries(found)
}

async function measure(name: Side, field: Field, seconds: number): Promise<number[]> {
  const { url } = await field.server(name)
  const writer = await field.writer()
  const reader = new PageReader(url, headersFor(name, { shape: "full" }, field))
  const delays: number[] = []
  try {
    for (const began = performance.now(); performance.now() - began < seconds * 1000;) {
      const path =
        `/acme/v1/events/${field.data.large}/guests?since=${writer.nextUpdated}&limit=1000`
      const pause = pauses[delays.length % pauses.length]
      const changing = sleep(pause).then(() => writer.commit("large"))
      const seen = await readUntilChanged(reader, path)
      const { committed } = await changing
      delays.push(Math.max(0, seen - (committed[name === "former" ? 1 : 0] ?? NaN)))
    }
    return delays
  } finally {
    reader.close()
  }
}

/** Returns the time of the first response that is not empty. */
async function readUntilChanged(reader: PageReader, path: string): Promise<number> {
  for (;;) {
    const { status, records } = await reader.read(path)
    if (status !== 200) throw new Error(`${path} returned ${status}. The measurement is void.`)
    if (records === changesPerSecond) return performance.now()
    if (records > 0) throw new Error(`${path} showed ${records} of ${changesPerSecond} changes.`)
  }
}
