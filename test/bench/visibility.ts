import { setTimeout as sleep } from "node:timers/promises"
import { PageReader } from "./page-reader.ts"
import { type Field, headersFor } from "./requests.ts"
import type { Rival, RoundOptions, Side } from "./rounds.ts"
import type { ServerName } from "./servers.ts"
import { percentile } from "./statistics.ts"
import { untilIdle } from "./usage.ts"
import { changesPerSecond } from "./writer.ts"

/** The name of this measurement for `--case`. */
export const visibilityName = "commit-to-visible"

/** Milliseconds from the commit of changes to the first poll that shows them. */
export interface Delays {
  readonly count: number
  readonly median: number
  readonly p99: number
}

/** The delays of each server, all together and by round. */
export type Visibility = Readonly<
  Partial<Record<Side, { readonly all: Delays; readonly rounds: readonly Delays[] }>>
>

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
  const rivals: Rival[] = options.against === undefined ? ["peer", "floor"] : ["former"]
  const sides: Side[] = ["ours", ...rivals]
  const found: Partial<Record<Side, number[][]>> = {}
  const run = async (name: ServerName, seconds: number) => {
    options.signal.throwIfAborted()
    await untilIdle(options.mysqlPid)
    return await measure(name, field, seconds)
  }
  for (const side of sides) await run(side, warmUpSeconds)
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      ;(found[side] ??= []).push(await run(side, options.seconds))
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([side, rounds]) => [
      side,
      { all: summarize(rounds.flat()), rounds: rounds.map(summarize) },
    ]),
  )
}

async function measure(name: ServerName, field: Field, seconds: number): Promise<number[]> {
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

function summarize(delays: readonly number[]): Delays {
  const [median, p99] = [percentile(delays, 50), percentile(delays, 99)]
  return { count: delays.length, median, p99 }
}
