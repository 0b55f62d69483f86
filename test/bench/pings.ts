// Measures pings on MySQL: node test/bench/pings.ts. Try --help for more.
import { type ChildProcess, fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Command, InvalidArgumentError } from "commander"
import { textTable } from "../../core/cli/context.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { newSecret } from "../../plugins/capabilities/ping/signature.ts"
import { Builder } from "../support/builder.ts"
import { allStorages } from "../support/storages.ts"
import { openBenchMysql } from "./mysql.ts"
import { type Failure, failures, type Order, type Report } from "./ping-receivers.ts"
import { startServer } from "./servers.ts"
import { logIn } from "./sessions.ts"
import { median, percentile } from "./statistics.ts"
import { memoryMb, processorMs } from "./usage.ts"

interface Flags {
  readonly receivers: number
  readonly failing: number
  readonly pause: number
  readonly seconds: number
  readonly rounds: number
  readonly turn: number
}

const flags = new Command("node test/bench/pings.ts")
  .description(
    "Changes an event every few seconds, and prints the time from a commit until receivers, which poll when " +
      "they are pinged, have the change. Then compares polls while some receivers fail, in turn.",
  )
  .option("--receivers <number>", "receivers, each of an account of its own", wholeNumber, 200)
  .option("--failing <number>", "receivers that fail", wholeNumber, 50)
  .option("--pause <seconds>", "between two commits", wholeNumber, 2)
  .option("--seconds <number>", "seconds to measure pings", wholeNumber, 20)
  .option("--rounds <number>", "turns of each kind of failure", wholeNumber, 2)
  .option("--turn <seconds>", "seconds of a turn", wholeNumber, 5)
  .parse()
  .opts<Flags>()

function wholeNumber(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new InvalidArgumentError("Give a whole number, 1 or more.")
}

/** Connections that poll, and the milliseconds between two polls of one. */
const [pollers, pollPause] = [4, 20]
const mysql = await openBenchMysql(new AbortController().signal)
const secret = randomUUID() + randomUUID()
const database = await openDatabase(mysql.url, {
  connections: 4,
  timeLimit: 60,
  storages: allStorages,
})
await migrate(database)
const { writer } = database
const build = new Builder(database)
const organization = await build.organization("acme")
const event = await build.event(organization)
const guests = await build.guests(event, 2000)
const other = await build.event(organization)
await build.guests(other, 100)
const accounts: string[] = []
const cookies: string[] = []
for (let n = 0; n < flags.receivers; n++) {
  accounts.push(await build.account(`partner-${n}`))
  await build.grant(`partner-${n}`, { organization: "acme" })
  cookies.push((await logIn(database, { username: `partner-${n}`, secret })).ours)
}
const server = await startServer("ours", { databaseUrl: mysql.url, secret, pingsLoopback: true })
const receivers = fork("test/bench/ping-receivers.ts")
const agent = new Agent({ keepAlive: true })
const clock = () => performance.timeOrigin + performance.now()

/** When the change of a guest was committed, by its id. */
const committed = new Map<string, number>()
/** Of each receiver's first answer with a change: milliseconds until its ping came, and until the answer. */
const latencies: { readonly ping: number; readonly answer: number }[] = []
const had = new Set<string>()
receivers.on("message", (report: Report) => {
  if (!("ids" in report)) return
  for (const id of report.ids) {
    const since = committed.get(id)
    if (since === undefined || had.has(`${report.receiver} ${id}`)) continue
    had.add(`${report.receiver} ${id}`)
    latencies.push({ ping: report.pinged - since, answer: report.at - since })
  }
})

try {
  const feed = `${server.url}/connector-b/v1/events/${event}/changes`
  order(receivers, { feed, cookies })
  const [{ ports }] = await once(receivers, "message") as [{ ports: number[] }]
  await register(ports)
  // The sender finds out that there are receivers within some seconds, and connects to all.
  await commit()
  await sleep(10_000)
  const before = memoryMb(server.pid) ?? NaN
  await measurePings()
  await compare()
  const after = memoryMb(server.pid) ?? NaN
  console.log(
    `memory of the service: ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after`,
  )
} finally {
  receivers.kill()
  agent.destroy()
  await server.stop()
  await database.close()
  await mysql.stop()
}

function order(to: ChildProcess, order: Order): void {
  to.send(order)
}

/** Registers the receivers as if they had confirmed. */
async function register(ports: readonly number[]): Promise<void> {
  const { settled } = await writer.selectFrom("change_state").select("settled")
    .executeTakeFirstOrThrow()
  const created = Math.floor(Date.now() / 1000)
  await writer.insertInto("ping_receiver").values(ports.map((port, n) => ({
    ...{ id: randomUUID(), account_id: accounts[n] ?? "", url: `http://127.0.0.1:${port}/` },
    ...{
      secret: newSecret(),
      former_secret: null,
      former_until: null,
      created,
      state: "on" as const,
    },
    ...{ reason: null, since: created, failing_since: null, attempts: 0, next_at: 0 },
    ...{ last_sent: null, last_status: null, last_error: null, sent_seq: settled },
  }))).execute()
}

/** Changes a guest that was not changed before. */
async function commit(): Promise<void> {
  const id = guests.pop() ?? ""
  await writer.updateTable("guest").set({ company_name: randomUUID() })
    .where("event_id", "=", event).where("id", "=", id).execute()
  committed.set(id, clock())
}

async function measurePings(): Promise<void> {
  committed.clear()
  latencies.length = 0
  const expected = Math.floor(flags.seconds / flags.pause)
  const used = processorMs(server.pid) ?? NaN
  for (let count = 0; count < expected; count++) {
    await commit()
    await sleep(flags.pause * 1000)
  }
  await sleep(3000)
  const each = ((processorMs(server.pid) ?? NaN) - used) / expected
  const all = expected * flags.receivers
  const figures = (of: "ping" | "answer") =>
    [50, 90, 99, 100].map((percent) =>
      `${percent} %: ${Math.round(percentile(latencies.map((each) => each[of]), percent))} ms`
    ).join(", ")
  const late = latencies.filter(({ answer }) => answer > 2000).length + all - latencies.length
  console.log(`${flags.receivers} receivers, ${expected} commits, ${database.dialect.version}`)
  console.log(`from commit to a receiver's ping: ${figures("ping")}`)
  console.log(`from commit to the answer of its poll: ${figures("answer")}`)
  console.log(`processor time of the service: ${Math.round(each)} ms for a commit, with the polls`)
  console.log(
    `within 2 s: ${(100 * (1 - late / all)).toFixed(2)} % of ${all}, ${latencies.length} arrived`,
  )
}

/** Compares polls of another event while some receivers fail. */
async function compare(): Promise<void> {
  const times = new Map<Failure, number[][]>(failures.map((failure) => [failure, []]))
  const memory = new Map<Failure, number>()
  for (let round = 0; round < flags.rounds; round++) {
    for (let turn = 0; turn < failures.length; turn++) {
      const failure = failures[(round + turn) % failures.length] as Failure
      order(receivers, { failure, failing: flags.failing })
      await begin()
      times.get(failure)?.push(await poll())
      memory.set(failure, memoryMb(server.pid) ?? NaN)
    }
  }
  const p99 = (failure: Failure) =>
    median((times.get(failure) ?? []).map((each) => percentile(each, 99)))
  const rows = failures.map((failure) => {
    const all = times.get(failure)?.flat() ?? []
    return [
      failure,
      String(all.length),
      `${median(all).toFixed(2)} ms`,
      `${p99(failure).toFixed(2)} ms`,
      (p99(failure) / p99("none")).toFixed(2),
      `${memory.get(failure)?.toFixed(0)} MB`,
    ]
  })
  console.log(
    `\npolls while ${flags.failing} of ${flags.receivers} receivers fail, in turn, 99 % as the median of ${flags.rounds}`,
  )
  console.log(textTable([["FAIL", "POLLS", "50 %", "99 %", "TO NONE", "MEMORY"], ...rows]))
}

/** Lets all receivers begin again, as if none had failed. */
async function begin(): Promise<void> {
  await writer.updateTable("ping_receiver")
    .set({ failing_since: null, attempts: 0, next_at: 0, state: "on", reason: null }).execute()
}

/** Polls for a turn, while an event changes. Returns milliseconds. */
async function poll(): Promise<number[]> {
  const end = performance.now() + flags.turn * 1000
  const isOver = () => performance.now() > end
  const times: number[] = []
  const change = async () => {
    while (!isOver()) {
      await commit()
      await sleep(1000)
      // Those that have failed are tried again, sooner than they would be.
      await begin()
    }
  }
  const ask = async (n: number) => {
    let etag = ""
    while (!isOver()) {
      const started = performance.now()
      const url = `${server.url}/connector-b/v1/events/${other}/guests`
      const headers = { cookie: cookies[n] ?? "", "if-none-match": etag }
      const sent = request(url, { agent, headers }).end()
      const [response] = await once(sent, "response") as [IncomingMessage]
      response.resume()
      await once(response, "end")
      // The first opens the connection and reads all guests.
      if (etag !== "") times.push(performance.now() - started)
      etag = String(response.headers.etag)
      await sleep(pollPause)
    }
  }
  await Promise.all([change(), ...Array.from({ length: pollers }, (_, n) => ask(n))])
  return times
}
