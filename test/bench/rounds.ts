import type { Case } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { compareAnswers, type Field, type Requests, requestsTo } from "./requests.ts"
import type { ServerName } from "./servers.ts"
import { processorMs, untilIdle } from "./usage.ts"

/** A participant of a case. */
export type Side = "ours" | Rival

/** What the service is compared with: the rivals, or the service of another checkout. */
export type Rival = "peer" | "floor" | "former"

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
  readonly rounds: Readonly<Partial<Record<Side, readonly Measured[]>>>
}

export interface RoundOptions {
  readonly rounds: number
  /** That each load takes. */
  readonly seconds: number
  /** Given, the service of that checkout is the only rival. */
  readonly against?: string | undefined
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
  const servers = serversFor(each, options.against)
  const sides = Object.keys(servers) as Side[]
  await compareAnswers(Object.values(servers), each, field)
  const requests = new Map<Side, Requests>()
  for (const side of sides) {
    requests.set(side, await requestsTo(servers[side] as ServerName, each, field))
  }
  const rounds: Partial<Record<Side, Measured[]>> = {}
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    const { pid } = await field.server(servers[side] as ServerName)
    // What the one before had asked for goes on in MySQL after its turn.
    await untilIdle(options.mysqlPid)
    return await measure(requests.get(side) as Requests, { ...options, seconds, pid })
  }
  for (const side of sides) await run(side, warmUpSeconds)
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      ;(rounds[side] ??= []).push(await run(side, options.seconds))
    }
  }
  const { name, summary, targets } = each
  return { name, summary, targets, rounds }
}

/** The server of each side. */
function serversFor(
  { cached }: Case,
  against: string | undefined,
): Partial<Record<Side, ServerName>> {
  const ours = cached ? "ours" : "uncached"
  if (against === undefined) return { ours, peer: "peer", floor: "floor" }
  return { ours, former: cached ? "former" : "former-uncached" }
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
