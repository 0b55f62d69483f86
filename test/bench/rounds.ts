import type { Case } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { compareRecords, type Field, type Requests, requestsTo } from "./requests.ts"
import type { ServerName } from "./servers.ts"
import { processorMs, untilIdle } from "./usage.ts"

/** A participant of a case. */
export type Side = "ours" | Rival

/** A participant to compare with: a rival, or the service of another checkout. */
export type Rival = "peer" | "floor" | "former"

/** The result of one load on one server. */
export interface Measurement {
  /** Responses per second. */
  readonly rate: number
  /** The median and the 99th percentile of response times, in milliseconds. */
  readonly latency: { readonly median: number; readonly p99: number }
  /** Milliseconds of processor time per response, of the server and of MySQL; null if unknown. */
  readonly processor: { readonly server: number | null; readonly mysql: number | null }
}

/** The measurements of one case, in the order of the rounds. */
export interface CaseResult {
  readonly name: string
  readonly summary: string
  readonly targets: Case["targets"]
  readonly rounds: Readonly<Partial<Record<Side, readonly Measurement[]>>>
}

export interface RoundOptions {
  readonly rounds: number
  /** The duration of each load. */
  readonly seconds: number
  /** The folder of another checkout. If set, its service is the only rival. */
  readonly against?: string | undefined
  readonly mysqlPid: number | undefined
  readonly signal: AbortSignal
}

/** The number of concurrent partners. */
export const connections = 8
const warmUpSeconds = 1

/** Measures a case: each server alone, one after the other, once per round. */
export async function measureCase(
  each: Case,
  field: Field,
  options: RoundOptions,
): Promise<CaseResult> {
  const servers = serversFor(each, options.against)
  const sides = Object.keys(servers) as Side[]
  await compareRecords(Object.values(servers), each, field)
  const requests = new Map<Side, Requests>()
  for (const side of sides) {
    requests.set(side, await requestsTo(servers[side] as ServerName, each, field))
  }
  const rounds: Partial<Record<Side, Measurement[]>> = {}
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    const { pid } = await field.server(servers[side] as ServerName)
    // MySQL may still be busy with statements of the previous turn.
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

/** Returns the server of each side. */
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
): Promise<Measurement> {
  const before = [processorMs(pid), processorMs(mysqlPid)] as const
  const { rate, latency, responses } = await sendLoad({ ...requests, connections, seconds }, status)
  const after = [processorMs(pid), processorMs(mysqlPid)] as const
  const timePerResponse = (which: 0 | 1) => {
    const [from, to] = [before[which], after[which]]
    return from === undefined || to === undefined ? null : (to - from) / responses
  }
  return { rate, latency, processor: { server: timePerResponse(0), mysql: timePerResponse(1) } }
}
