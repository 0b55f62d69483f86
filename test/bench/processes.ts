import { cases } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { type Field, requestsTo } from "./requests.ts"
import { type BenchServer, type ServerName, type ServerOptions, startServer } from "./servers.ts"
import { untilIdle } from "./usage.ts"

/** The name of this measurement for `--case`. */
export const processesName = "processes"

/** The numbers of processes that share the port. */
export const processCounts = [1, 2, 4] as const
export type ProcessCount = (typeof processCounts)[number]

/** Responses per second, by the number of processes; one figure per round. */
export type ProcessRates = Readonly<Record<ProcessCount, readonly number[]>>

/** The number of connections: enough for the operating system to spread them about evenly over the processes. */
const partners = 64
const warmUpSeconds = 4

/**
 * Measures polls that find nothing new, with 1, 2 and 4 processes of the service that share a port.
 * Starts the processes for each turn and stops them after it, so that no turn pays for another.
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
    const { status, ...requests } = await requestsTo("ours", poll, {
      ...field,
      server: () => Promise.resolve(server),
    })
    await sendLoad({ ...requests, connections: partners, seconds: warmUpSeconds }, status)
    return (await sendLoad({ ...requests, connections: partners, seconds }, status)).rate
  } finally {
    for (const { stop } of servers) await stop()
  }
}

/** Starts processes of the service on one port, which the first one picks. */
export async function startTogether(
  count: number,
  options: ServerOptions,
  name: ServerName = "ours",
): Promise<BenchServer[]> {
  const servers: BenchServer[] = []
  try {
    while (servers.length < count) {
      const [first] = servers
      const sharedPort = first ? Number(new URL(first.url).port) : 0
      servers.push(await startServer(name, { ...options, sharedPort }))
    }
    return servers
  } catch (error) {
    for (const { stop } of servers) await stop()
    throw error
  }
}
