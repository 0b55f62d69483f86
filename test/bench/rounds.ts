import type { Case } from "./cases.ts"
import { guestCounts } from "./data.ts"
import { type Load, sendLoad, type WalkLoad } from "./load.ts"
import { whileChanging } from "./changing.ts"
import { compareRecords, type Field, makeDeltas, type Requests, requestsTo } from "./requests.ts"
import type { ServerName } from "./servers.ts"
import { processorMs, untilIdle } from "./usage.ts"
import { changesPerSecond, type ChangeTime } from "./writer.ts"

/** A participant of a case. */
export type Side = "ours" | Rival

/** A participant to compare with: a rival, or the service of another checkout. */
export type Rival = "peer" | "floor" | "former"

/** The result of one load on one server. */
export interface Measurement {
  /** Responses per second; of walks, records per second. */
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
  /** What the rates count. */
  readonly unit: "requests" | "records"
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
  await makeDeltas(each, field)
  await compareRecords(Object.values(servers), each, field)
  const requests = new Map<Side, Requests>()
  const rounds: Partial<Record<Side, Measurement[]>> = {}
  const run = async (side: Side, seconds: number) => {
    options.signal.throwIfAborted()
    const name = servers[side] as ServerName
    if (each.cold) return await measureCold(name, { each, field, options })
    const known = requests.get(side) ?? await requestsTo(name, each, field)
    requests.set(side, known)
    const { pid } = await field.server(name)
    // MySQL may still be busy with statements of the previous turn.
    await untilIdle(options.mysqlPid)
    return await whileChanging(
      { name, each, field },
      (changed) => measure(each, known, { ...options, seconds, pid, changed }),
    )
  }
  if (!each.cold) { for (const side of sides) await run(side, warmUpSeconds) }
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(round + turn) % sides.length] as Side
      ;(rounds[side] ??= []).push(await run(side, options.seconds))
    }
  }
  const { name, summary, targets } = each
  return { name, summary, unit: each.walks ? "records" : "requests", targets, rounds }
}

/** Measures one walk by a new process. A walk through another event comes first, so that its code is warm. */
async function measureCold(
  name: ServerName,
  { each, field, options }: {
    readonly each: Case
    readonly field: Field
    readonly options: RoundOptions
  },
): Promise<Measurement> {
  const server = await field.start(name)
  const alone = { ...field, server: () => Promise.resolve(server) }
  try {
    const run = async (one: Case) => {
      await untilIdle(options.mysqlPid)
      const requests = await requestsTo(name, one, alone)
      return await measure(one, requests, { ...options, seconds: 0, pid: server.pid })
    }
    await run({ ...each, event: "middle" })
    return await run(each)
  } finally {
    await server.stop()
  }
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

/** Returns the load of a case on a server. */
export function loadOf(
  each: Case,
  { status: _, ...requests }: Requests,
  { seconds, changed }: { readonly seconds: number; readonly changed?: ChangeTime | undefined },
): Load | WalkLoad {
  if (!each.walks) return { ...requests, changed, connections, seconds }
  const records = guestCounts[each.event as keyof typeof guestCounts]
  const walk = { records, changesPerSecond: each.changing ? changesPerSecond : 0 }
  return { ...requests, seconds, walk }
}

async function measure(
  each: Case,
  requests: Requests,
  { seconds, pid, mysqlPid, changed }: Pick<RoundOptions, "seconds" | "mysqlPid"> & {
    readonly pid: number
    readonly changed?: ChangeTime | undefined
  },
): Promise<Measurement> {
  const before = [processorMs(pid), processorMs(mysqlPid)] as const
  const { rate, latency, responses } = await sendLoad(
    loadOf(each, requests, { seconds, changed }),
    requests.status,
  )
  const after = [processorMs(pid), processorMs(mysqlPid)] as const
  const timePerResponse = (which: 0 | 1) => {
    const [from, to] = [before[which], after[which]]
    return from === undefined || to === undefined ? null : (to - from) / responses
  }
  return { rate, latency, processor: { server: timePerResponse(0), mysql: timePerResponse(1) } }
}
