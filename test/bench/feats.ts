import type { EventName } from "./data.ts"
import { sendLoad } from "./load.ts"
import { type Field, get, headersFor } from "./requests.ts"
import { type ServerOptions, startServer } from "./servers.ts"
import { memoryMb } from "./usage.ts"

/** A measurement of the service alone, without a rival. */
export interface Feat {
  readonly name: "memory" | "start-up"
  /** A description for people. */
  readonly summary: string
  readonly unit: "MB" | "s"
  /** The result must be below it. */
  readonly target: number
  /** The event that the feat needs. */
  readonly event: EventName | undefined
  /** Returns the number of runs for a number of rounds. */
  times(rounds: number): number
  /** Measures once, in `unit`. */
  run(field: Field, options: ServerOptions): Promise<number>
}

/** All feats, in the order of measurement. */
export const feats: readonly Feat[] = [
  {
    name: "memory",
    summary: "memory after 60 s of 64 concurrent bundles",
    unit: "MB",
    target: 300,
    event: "bazaar",
    times: () => 1,
    run: measureMemory,
  },
  {
    name: "start-up",
    summary: "from the start of the process to the first response",
    unit: "s",
    target: 0.6,
    event: undefined,
    times: (rounds) => 2 * rounds + 1,
    run: startUp,
  },
]

/** Returns the memory of a fresh service after a load, in megabytes. */
async function measureMemory(field: Field, options: ServerOptions): Promise<number> {
  const server = await startServer("ours", options)
  try {
    await sendLoad({
      url: server.url,
      paths: [`/acme/v1/events/${field.data.bazaar}/items?since=-1`],
      headers: headersFor("ours", { shape: "full" }, field),
      connections: 64,
      seconds: 60,
    }, 200)
    return memoryMb(server.pid) ?? NaN
  } finally {
    await server.stop()
  }
}

/** Returns the seconds from the start of a process to its first response. */
async function startUp(field: Field, options: ServerOptions): Promise<number> {
  const began = performance.now()
  const server = await startServer("ours", options)
  try {
    const headers = headersFor("ours", { shape: "full" }, field)
    await (await get({ url: server.url, headers }, "/session")).arrayBuffer()
    return (performance.now() - began) / 1000
  } finally {
    await server.stop()
  }
}
