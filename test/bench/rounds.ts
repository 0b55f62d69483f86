import type { Case } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { compareAnswers, type Field, type Requests, requestsTo } from "./requests.ts"
import { processorMs, untilIdle } from "./usage.ts"

/** Who takes part in a case; ours is the service with or without its page cache. */
export const sides = ["ours", "peer", "floor"] as const
export type Side = (typeof sides)[number]

/** One load on one server. */
export interface Measured {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds that half of the answers, and 99 of 100, took at most. */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Milliseconds of processor time an answer, of the server and of MySQL; null where nobody tells. */
  readonly processor: { readonly server: number | null; readonly mysql: number | null }
}

/** What the rounds of one case have measured, in order. */
export interface CaseResult {
  readonly name: string
  readonly summary: string
  readonly targets: Case["targets"]
  readonly rounds: Readonly<Record<Side, readonly Measured[]>>
}

export interface RoundOptions {
  readonly rounds: number
  /** That each load takes. */
  readonly seconds: number
  readonly mysqlPid: number | undefined
  readonly signal: AbortSignal
}

/** As many partners as ask at the same time. */
export const connections = 8
const warmUpSeconds = 1

/** Measures a case: the servers one after the other, each alone, once in every round. */
export async function measureCase(
  each: Case,
  field: Field,
  options: RoundOptions,
): Promise<CaseResult> {
  const names = { ours: each.cached ? "ours" : "uncached", peer: "peer", floor: "floor" } as const
  await compareAnswers(Object.values(names), each, field)
  const rounds: Record<Side, Measured[]> = { ours: [], peer: [], floor: [] }
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    const { pid } = await field.server(names[side])
    // What the one before had asked for goes on in MySQL after its turn.
    await untilIdle(options.mysqlPid)
    return await measure(requests[side], { ...options, seconds, pid })
  }
  const requests = {
    ours: await requestsTo(names.ours, each, field),
    peer: await requestsTo("peer", each, field),
    floor: await requestsTo("floor", each, field),
  }
  for (const side of sides) await run(side, warmUpSeconds)
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      rounds[side].push(await run(side, options.seconds))
    }
  }
  const { name, summary, targets } = each
  return { name, summary, targets, rounds }
}

async function measure(
  { status, ...requests }: Requests,
  { seconds, pid, mysqlPid }: Pick<RoundOptions, "seconds" | "mysqlPid"> & { pid: number },
): Promise<Measured> {
  const before = [processorMs(pid), processorMs(mysqlPid)] as const
  const { rate, latency, answers } = await sendLoad({ ...requests, connections, seconds }, status)
  const after = [processorMs(pid), processorMs(mysqlPid)] as const
  const taken = (which: 0 | 1) => {
    const [from, to] = [before[which], after[which]]
    return from === undefined || to === undefined ? null : (to - from) / answers
  }
  return { rate, latency, processor: { server: taken(0), mysql: taken(1) } }
}
