// Measures the time from a commit to those who wait for it, on MySQL: node test/bench/waiting.ts [WAITING [COMMITS [SECONDS]]]
// WAITING requests wait, each for an event of its own, while so many random events change per second.
import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import process from "node:process"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { Builder } from "../support/builder.ts"
import { allStorages } from "../support/storages.ts"
import { openBenchMysql } from "./mysql.ts"
import { startServer } from "./servers.ts"
import { logIn } from "./sessions.ts"
import { percentile } from "./statistics.ts"

const [waiting = 5000, perSecond = 200, seconds = 20] = process.argv.slice(2).map(Number)
const accounts = 50
const against = process.env["AGAINST"]

const mysql = await openBenchMysql(new AbortController().signal)
const secret = crypto.randomUUID() + crypto.randomUUID()
const database = await openDatabase(mysql.url, {
  ...{ connections: 4, timeLimit: 60, storages: allStorages },
})
await migrate(database)
const build = new Builder(database)
const organization = await build.organization("acme")
const cookies: string[] = []
for (let n = 0; n < accounts; n++) {
  await build.account(`partner-${n}`)
  await build.grant(`partner-${n}`, { organization: "acme" })
  cookies.push((await logIn(database, { username: `partner-${n}`, secret })).ours)
}
const events: { readonly id: string; readonly guest: string }[] = []
while (events.length < waiting) {
  const some = Array.from({ length: 50 }, async () => {
    const id = await build.event(organization)
    return { id, guest: await build.guest(id) }
  })
  events.push(...await Promise.all(some))
}
const server = await startServer(against ? "former" : "ours", {
  ...{ databaseUrl: mysql.url, secret, waiting, against },
})
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** By event: when changes were sent, in the order of their numbers, which are in the record. */
const sent = events.map((): number[] => [])
const latencies: number[] = []
/** How often which response came. */
const statuses = new Map<string, number>()
let isOver = false
let begun = 0

/** Waits for one event, again and again, and notes how long ago the changes were that it gets. */
async function wait(index: number): Promise<void> {
  const { id } = events[index] ?? {}
  const url = new URL(`/connector-b/v1/events/${id}/guests`, server.url)
  let etag: string | undefined
  let known = 0
  while (!isOver) {
    const headers = {
      cookie: cookies[index % accounts] ?? "",
      ...etag !== undefined && { "if-none-match": etag, prefer: "wait=50" },
    }
    const asked = request(url, { agent, headers }).end()
    const [response] = await once(asked, "response") as [IncomingMessage]
    const body = await text(response)
    const at = performance.now()
    const status = `${response.statusCode} ${response.headers["preference-applied"]}`
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (etag === undefined) begun++
    etag = response.headers.etag ?? etag
    const last = Number(/"change (\d+)"/.exec(body)?.[1] ?? known)
    for (; known < last; known++) latencies.push(at - (sent[index]?.[known] ?? NaN))
  }
}

async function change(index: number): Promise<void> {
  const { id = "", guest = "" } = events[index] ?? {}
  const first_name = `change ${sent[index]?.push(performance.now())}`
  await database.writer.updateTable("guest").set({ first_name })
    .where("event_id", "=", id).where("id", "=", guest).execute()
}

const running: Promise<void>[] = []
while (begun < waiting) {
  if (running.length < Math.min(waiting, begun + 100)) running.push(wait(running.length))
  else await sleep(10)
}
await sleep(5000)
const ends = performance.now() + seconds * 1000
const changes: Promise<void>[] = []
for (let due = performance.now(); due < ends; due += 1000 / perSecond) {
  await sleep(Math.max(0, due - performance.now()))
  changes.push(change(Math.floor(Math.random() * waiting)))
}
await Promise.all(changes)
await sleep(3000)
const figures = [50, 90, 99, 100].map((percent) =>
  `p${percent} ${Math.round(percentile(latencies, percent))} ms`
)
console.log(
  `${waiting} wait, ${changes.length} changes in ${seconds} s, ${latencies.length} arrived`,
)
console.log(`from before a change is sent to the end of the response: ${figures.join(", ")}`)
console.log([...statuses].map(([status, count]) => `${count} × ${status}`).join(", "))
isOver = true
agent.destroy()
await Promise.allSettled(running)
await server.stop()
await database.close()
await mysql.stop()
