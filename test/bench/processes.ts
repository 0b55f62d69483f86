import { cases } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { type Field, requestsTo } from "./requests.ts"
import type { RoundOptions } from "./rounds.ts"
import { type BenchServer, type ServerOptions, startServer } from "./servers.ts"
import { inTurns } from "./turns.ts"
import { untilIdle } from "./usage.ts"

/** The name of this measurement for `--case`. */
export const processesName = "processes"

type ProcessCount = 1 | 2 | 4

/** Responses per second, by the number of processes that share the port; one figure per round. */
export type ProcessRates = ReadonlyMap<ProcessCount, readonly number[]>

/** The number of connections: enough for the operating system to spread them about evenly over the processes. */
const connections = 64
const warmUpSeconds = 4

/**
 * Measures polls that find nothing new, with 1, 2 and 4 processes of the service that share a port.
 * Starts the processes for each turn and stops them after it, so that no turn pays for another.
 */
export async function measureProcesses(
  field: Field,
  options: ServerOptions,
  { rounds, seconds, mysqlPid, signal }: RoundOptions,
): Promise<ProcessRates> {
  const poll = cases.find(({ name }) => name === "empty-poll-apart")
  if (!poll) throw new Error("There is no case empty-poll-apart.")
  const measure = async (count: ProcessCount) => {
    signal.throwIfAborted()
    await untilIdle(mysqlPid)
    const servers: BenchServer[] = []
    try {
      while (servers.length < count) {
        const [first] = servers
        const sharedPort = first ? Number(new URL(first.url).port) : 0
        servers.push(await startServer("ours", { ...options, sharedPort }))
      }
      const server = () => Promise.resolve(servers[0] as BenchServer)
      const { status, ...requests } = await requestsTo("ours", poll, { ...field, server })
      await sendLoad({ ...requests, connections, seconds: warmUpSeconds }, status)
      return await sendLoad({ ...requests, connections, seconds }, status)
    } finally {
      for (const { stop } of servers) await stop()
    }
  }
  return await inTurns([1, 2, 4] as const, rounds, measure)
}
