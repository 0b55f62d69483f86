// Measures requests that wait for something new: node test/bench/waiting.ts. On the embedded database, or on a
// new one of the server of TEST_MYSQL_URL. Try --help for more.
import { allStorages } from "../support/storages.ts"
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, InvalidArgumentError } from "commander"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { Builder } from "../support/builder.ts"
import { openBenchMysql } from "./mysql.ts"
import { startServer } from "./servers.ts"
import { logIn } from "./sessions.ts"
import { percentile } from "./statistics.ts"
import { memoryMb, processorMs } from "./usage.ts"

interface Flags {
  readonly waiting: number
  readonly events: number
  readonly accounts: number
  readonly seconds: number
  readonly pause: number
  readonly all?: true
}

const flags = new Command("node test/bench/waiting.ts")
  .description(
    "Holds requests of several accounts for several events, and commits changes of random events at random " +
      "times. Prints the time from a commit to the first byte of each response, and memory per request.",
  )
  .option("--waiting <number>", "requests that wait at the same time", wholeNumber, 5000)
  .option("--events <number>", "events that they wait for", wholeNumber, 200)
  .option("--accounts <number>", "accounts that they are of", wholeNumber, 50)
  .option("--seconds <number>", "seconds to measure", wholeNumber, 30)
  .option("--pause <milliseconds>", "mean time between two commits", wholeNumber, 200)
  .option("--all", "change an event only while all requests wait")
  .parse()
  .opts<Flags>()

function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give a whole number, 1 or more.")
}

/** A client that waits for one event, again and again. */
interface Client {
  readonly event: number
  readonly cookie: string
  etag: string
}

const guestsEach = 20
const prefix = "/connector-b/v1"
const file = join(tmpdir(), `event-export-waiting-${process.pid}.db`)
const mysql = process.env["TEST_MYSQL_URL"]
  ? await openBenchMysql(new AbortController().signal)
  : undefined
const databaseUrl = mysql?.url ?? `sqlite:${file}`
const secret = crypto.randomUUID() + crypto.randomUUID()
const database = await openDatabase(databaseUrl, {
  connections: 4,
  timeLimit: 60,
  storages: allStorages,
})
await migrate(database)
const build = new Builder(database)
const organization = await build.organization("acme")
const events: string[] = []
for (let n = 0; n < flags.events; n++) {
  const event = await build.event(organization)
  await build.guests(event, guestsEach)
  events.push(event)
}
const cookies: string[] = []
for (let n = 0; n < flags.accounts; n++) {
  await build.account(`partner-${n}`)
  await build.grant(`partner-${n}`, { organization: "acme" })
  cookies.push((await logIn(database, { username: `partner-${n}`, secret })).ours)
}
const server = await startServer("ours", { databaseUrl, secret, waiting: flags.waiting })
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** The times of the commits of each event. */
const commits = events.map((): number[] => [])
const latencies: number[] = []
const statuses = new Map<string, number>()
let isOver = false
try {
  const clients: Client[] = []
  for (let n = 0; n < flags.waiting; n++) {
    const cookie = cookies[n % cookies.length] ?? ""
    clients.push({ event: n % events.length, cookie, etag: "" })
  }
  // The connections are open, and the code is compiled, before memory is measured.
  for (const group of inGroups(clients, 100)) {
    await Promise.all(group.map(async (client) => await read(client, {})))
  }
  await sleep(1000)
  const before = memoryMb(server.pid) ?? NaN
  const running = clients.map((client) => repeat(client))
  await sleep(3000)
  const full = memoryMb(server.pid) ?? NaN
  const idleFrom = processorMs(server.pid) ?? NaN
  await sleep(5000)
  const idle = ((processorMs(server.pid) ?? NaN) - idleFrom) / 5000
  const busyFrom = processorMs(server.pid) ?? NaN
  const count = await commitAtRandom()
  const busy = ((processorMs(server.pid) ?? NaN) - busyFrom) / (flags.seconds * 1000)
  await sleep(3000)
  isOver = true
  const figures = [50, 90, 99, 99.9, 100].map((percent) =>
    `${percent} %: ${Math.round(percentile(latencies, percent))} ms`
  )
  console.log(`${flags.waiting} requests of ${flags.accounts} accounts for ${flags.events} events`)
  console.log(`${database.dialect.version}, ${count} commits in ${flags.seconds} s`)
  console.log(`${latencies.length} responses, from commit to first byte: ${figures.join(", ")}`)
  console.log(
    `memory: ${((full - before) * 1024 / flags.waiting).toFixed(1)} kB per waiting request`,
  )
  console.log(`        ${Math.round(before)} MB before, ${Math.round(full)} MB with them`)
  console.log(
    `processor: ${(100 * idle).toFixed(1)} % while they wait, ${(100 * busy).toFixed(1)} %`,
  )
  console.log(`statuses: ${[...statuses].map(([name, times]) => `${name} × ${times}`).join(", ")}`)
  agent.destroy()
  await Promise.allSettled(running)
} finally {
  isOver = true
  agent.destroy()
  await server.stop()
  await database.close()
  await mysql?.stop()
  for (const end of ["", "-shm", "-wal"]) rmSync(file + end, { force: true })
}

/** Sends a request, and reads its response. Returns when the first byte of it came. */
async function read(client: Client, headers: Record<string, string>) {
  const url = new URL(`${prefix}/events/${events[client.event]}/guests`, server.url)
  const sent = request(url, { agent, headers: { cookie: client.cookie, ...headers } }).end()
  const [response] = await once(sent, "response") as [IncomingMessage]
  const at = performance.now()
  client.etag = response.headers.etag ?? client.etag
  const ended = once(response, "end")
  response.resume()
  await ended
  return { response, at }
}

async function repeat(client: Client): Promise<void> {
  while (!isOver) {
    const sent = performance.now()
    const headers = { "if-none-match": client.etag, prefer: "wait=50" }
    const { response, at } = await read(client, headers)
    const applied = response.headers["preference-applied"] ? "" : " at once"
    const name = `${response.statusCode}${applied}`
    statuses.set(name, (statuses.get(name) ?? 0) + 1)
    const committed = commits[client.event]?.find((time) => time >= sent)
    if (response.statusCode === 200 && committed !== undefined && committed <= at) {
      latencies.push(at - committed)
    }
  }
}

/** Changes random events at random times. Returns the number of commits. */
async function commitAtRandom(): Promise<number> {
  let count = 0
  for (const end = performance.now() + flags.seconds * 1000; performance.now() < end; count++) {
    await sleep(2 * flags.pause * Math.random())
    while (flags.all && await held() < flags.waiting) await sleep(100)
    const event = Math.floor(Math.random() * events.length)
    const company_name = String(count)
    await database.writer.updateTable("guest").set({ company_name })
      .where("event_id", "=", events[event] ?? "").execute()
    commits[event]?.push(performance.now())
  }
  return count
}

/** Returns how many requests the service holds. */
async function held(): Promise<number> {
  const metrics = await (await fetch(`${server.admin}/metrics`)).text()
  return Number(/^event_export_requests_held (\d+)/m.exec(metrics)?.[1])
}

function inGroups<T>(all: readonly T[], size: number): T[][] {
  const groups: T[][] = []
  for (let from = 0; from < all.length; from += size) groups.push(all.slice(from, from + size))
  return groups
}
