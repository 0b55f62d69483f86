import { cases } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { type Field, requestsTo } from "./requests.ts"
import { type BenchServer, type ServerOptions, startServer } from "./servers.ts"
import { untilIdle } from "./usage.ts"

/** What `--case` calls this measurement. */
export const processesName = "processes"

/** How many processes share the port. */
export const processCounts = [1, 2, 4] as const
export type ProcessCount = (typeof processCounts)[number]

/** Answers per second, by the number of processes; one figure per round. */
export type ProcessRates = Readonly<Record<ProcessCount, readonly number[]>>

/**
 * Connections, each with a session of its own: enough for the operating system to spread them over
 * the processes about evenly, and no two requests share a look-up of their session.
 */
export const partners = 64
const warmUpSeconds = 4

/**
 * Measures polls that find nothing new, answered by 1, 2 and 4 processes of the service that share
 * one port. Processes are started for each turn and ended after it, so that no turn pays for another.
 */
export async function measureProcesses(
  { field, options, mysqlPid }: {
    readonly field: Field
    readonly options: ServerOptions
    readonly mysqlPid: number | undefined
  },
  { rounds, seconds, signal }: {
    readonly rounds: number
    readonly seconds: number
    readonly signal: AbortSignal
  },
): Promise<ProcessRates> {
  const rates: Record<ProcessCount, number[]> = { 1: [], 2: [], 4: [] }
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < processCounts.length; turn++) {
      signal.throwIfAborted()
      const count = processCounts[(round + turn) % processCounts.length] as ProcessCount
      await untilIdle(mysqlPid)
      rates[count].push(await measure(field, { options, count, seconds }))
    }
  }
  return rates
}

async function measure(
  field: Field,
  { options, count, seconds }: {
    readonly options: ServerOptions
    readonly count: number
    readonly seconds: number
  },
): Promise<number> {
  const servers = await startTogether(count, options)
  try {
    const [server] = servers as [BenchServer]
    const poll = cases.find(({ name }) => name === "empty-poll-apart")
    if (!poll) throw new Error("There is no case empty-poll-apart.")
    const asked = await requestsTo("ours", poll, {
      ...field,
      server: () => Promise.resolve(server),
    })
    const { status, ...requests } = asked
    await sendLoad({ ...requests, connections: partners, seconds: warmUpSeconds }, status)
    return (await sendLoad({ ...requests, connections: partners, seconds }, status)).rate
  } finally {
    for (const { stop } of servers) await stop()
  }
}

/** The first process picks the port, the others are given it. */
async function startTogether(count: number, options: ServerOptions): Promise<BenchServer[]> {
  const servers: BenchServer[] = []
  try {
    while (servers.length < count) {
      const [first] = servers
      const sharedPort = first ? Number(new URL(first.url).port) : 0
      servers.push(await startServer("ours", { ...options, sharedPort }))
    }
    return servers
  } catch (error) {
    for (const { stop } of servers) await stop()
    throw error
  }
}
