import type { Case } from "./cases.ts"
import { guestCounts } from "./data.ts"
import { sendLoad } from "./load.ts"
import { whileChanging } from "./changing.ts"
import { compareRecords, type Field, makeDeltas, type Requests, requestsTo } from "./requests.ts"
import type { ServerName } from "./servers.ts"
import { inTurns } from "./turns.ts"
import { untilIdle } from "./usage.ts"
import { changesPerSecond, type ChangeTime } from "./writer.ts"

/** A participant: ours, a rival, the service of another checkout, or our family with a filter. */
export type Side = "ours" | "peer" | "floor" | "former" | "filtered"

/** The measurements of one case, in the order of the rounds. */
export interface CaseResult {
  readonly each: Case
  /** Requests per second; of walks, records. */
  readonly rates: Readonly<Partial<Record<Side, readonly number[]>>>
}

export interface RoundOptions {
  readonly rounds: number
  /** The duration of each load. */
  readonly seconds: number
  /** The folder of another checkout. If set, its service is the only rival. */
  readonly against?: string | undefined
  /** True if our family with a filter is the only rival. */
  readonly filtered?: boolean | undefined
  readonly mysqlPid: number | undefined
  readonly signal: AbortSignal
}

/** The number of concurrent partners. */
const connections = 8
const warmUpSeconds = 1

/** Measures a case: each server alone, one after the other, once per round. */
export async function measureCase(
  each: Case,
  field: Field,
  options: RoundOptions,
): Promise<CaseResult> {
  const sides = sidesOf(options)
  const serverOf = (side: Side): ServerName =>
    each.cached || side === "peer" || side === "floor"
      ? side
      : side === "ours"
      ? "uncached"
      : `${side}-uncached`
  await makeDeltas(each, field)
  await compareRecords(sides.map(serverOf), each, field)
  const requests = new Map<Side, Requests>()
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    const name = serverOf(side)
    if (each.cold) return await measureCold(name, { each, field, options })
    const known = requests.get(side) ?? await requestsTo(name, each, field)
    requests.set(side, known)
    // MySQL may still be busy with statements of the previous turn.
    await untilIdle(options.mysqlPid)
    return await whileChanging(
      { name, each, field },
      (changed) => measure(each, known, { seconds, changed }),
    )
  }
  if (!each.cold) { for (const side of sides) await run(side, warmUpSeconds) }
  const rates = await inTurns(sides, options.rounds, (side) => run(side, options.seconds))
  return { each, rates: Object.fromEntries(rates) }
}

/** Returns the participants of a comparison. */
export function sidesOf(
  { against, filtered }: Pick<RoundOptions, "against" | "filtered">,
): readonly Side[] {
  if (filtered) return ["ours", "filtered"]
  return against === undefined ? ["ours", "peer", "floor"] : ["ours", "former"]
}

/** Measures one walk by a new process. A walk through another event comes first, so that its code is warm. */
async function measureCold(
  name: ServerName,
  { each, field, options }: {
    readonly each: Case
    readonly field: Field
    readonly options: RoundOptions
  },
): Promise<number> {
  const server = await field.start(name)
  const alone = { ...field, server: () => Promise.resolve(server) }
  try {
    const run = async (one: Case) => {
      await untilIdle(options.mysqlPid)
      return await measure(one, await requestsTo(name, one, alone), { seconds: 0 })
    }
    await run({ ...each, event: "middle" })
    return await run(each)
  } finally {
    await server.stop()
  }
}

async function measure(
  each: Case,
  { status, ...requests }: Requests,
  load: { readonly seconds: number; readonly changed?: ChangeTime | undefined },
): Promise<number> {
  if (!each.walks) return await sendLoad({ ...requests, ...load, connections }, status)
  const records = guestCounts[each.event as keyof typeof guestCounts]
  const walk = { records, changesPerSecond: each.changing ? changesPerSecond : 0 }
  return await sendLoad({ ...requests, seconds: load.seconds, walk }, status)
}
