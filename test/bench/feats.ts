import { Agent, request } from "node:http"
import { type BenchData, guestCounts } from "./data.ts"
import { linkOf } from "../support/polling/link.ts"
import { sendLoad } from "./load.ts"
import { type Field, get, headersFor } from "./requests.ts"
import { type ServerOptions, startServer } from "./servers.ts"
import { memoryMb } from "./usage.ts"

/** A measurement of the service alone, without a rival. */
export interface Feat {
  readonly name: "walk" | "memory" | "start-up"
  /** A description for people. */
  readonly summary: string
  readonly unit: "records/s" | "MB" | "s"
  readonly target: number
  /** The good side of the target. */
  readonly good: "at least" | "below"
  /** The event that the feat needs. */
  readonly event: Exclude<keyof BenchData, "newest"> | undefined
  /** Returns the number of runs for a number of rounds. */
  times(rounds: number): number
  /** Measures once, in `unit`. */
  run(field: Field, options: ServerOptions): Promise<number>
}

/** All feats, in the order of measurement. */
export const feats: readonly Feat[] = [
  {
    name: "walk",
    summary: "a walk through 100,000 guests by cursor, page cache off",
    unit: "records/s",
    target: 50_000,
    good: "at least",
    event: "large",
    times: (rounds) => rounds,
    run: walk,
  },
  {
    name: "memory",
    summary: "memory after 60 s of 64 concurrent bundles",
    unit: "MB",
    target: 250,
    good: "below",
    event: "bazaar",
    times: () => 1,
    run: measureMemory,
  },
  {
    name: "start-up",
    summary: "from the start of the process to the first response",
    unit: "s",
    target: 0.6,
    good: "below",
    event: undefined,
    times: (rounds) => 2 * rounds + 1,
    run: startUp,
  },
]

/** Returns records per second. Counts records without parsing, which is the partner's cost. */
async function walk(field: Field): Promise<number> {
  const { url } = await field.server("uncached")
  const headers = headersFor("uncached", { shape: "full" }, field)
  const began = performance.now()
  const agent = new Agent({ keepAlive: true })
  let records = 0
  let path: string | undefined = `/acme/v1/events/${field.data.large}/guests?since=-1&limit=1000`
  while (path) {
    const { link, body } = await getBytes(url + path, { agent, headers })
    records += countOf(body)
    path = linkOf(new Response(null, { headers: { link } }))
  }
  agent.destroy()
  if (records !== guestCounts.large) throw new Error(`The walk read ${records} guests.`)
  return records / (performance.now() - began) * 1000
}

/** Counts the records of a page by their `eventId`. Quotes are escaped in values, so none matches. */
function countOf(body: Buffer): number {
  let count = 0
  for (let at = body.indexOf('"eventId":'); at >= 0; at = body.indexOf('"eventId":', at + 10)) {
    count++
  }
  return count
}

function getBytes(
  url: string,
  options: { readonly agent: Agent; readonly headers: Record<string, string> },
): Promise<{ link: string; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`))
      response.toArray().then((chunks) => {
        resolve({ link: String(response.headers["link"] ?? ""), body: Buffer.concat(chunks) })
      }, reject)
    }).on("error", reject).end()
  })
}

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
