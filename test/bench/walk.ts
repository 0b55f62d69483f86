// Measures walks through one event with 100,000 guests:
// DATABASE_URL=mysql://root@127.0.0.1:3306 node test/bench/walk.ts
//
// Makes a database of its own on that server, and drops it. Without DATABASE_URL, the embedded one.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import mysql from "mysql2/promise"
import { table } from "../../core/commands/context.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { startKernel } from "../../core/kernel.ts"
import { secret, testConfig } from "../support/app.ts"
import { Builder, password } from "../support/builder.ts"
import { linkOf } from "../support/polling/link.ts"

const guests = 100_000
const repeats = 15

async function measure(url: string): Promise<void> {
  const database = await openDatabase(url, { connections: 4, timeLimit: 300 })
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, guests)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  await database.close()

  let statements = 0
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error }
  const kernel = await startKernel(await testConfig(url, { SESSION_SECRET: secret }), {
    log: silent as never,
    onStatement: () => statements++,
  })
  const { account } = await kernel.sessions.verify("partner", password)
  const cookie = account ? (await kernel.sessions.open(account)).split(";")[0] ?? "" : ""
  const get = (path: string, headers: Record<string, string> = {}) =>
    kernel.fetch(new Request(`http://localhost${path}`, { headers: { cookie, ...headers } }))
  const list = `/connector-b/v1/events/${event}/guests`

  const links = [`${list}?since=-1`]
  for (let link: string | undefined = links[0]; link;) {
    const response = await get(link)
    link = linkOf(response)
    if (link) links.push(link)
  }
  const first = await get(`${list}?since=-1`)
  const etag = first.headers.get("etag") ?? ""
  const now = Math.floor(Date.now() / 1000)
  const tasks: Record<string, [path: string, headers?: Record<string, string>]> = {
    "first page": [`${list}?since=-1`],
    "last page, by cursor": [links.at(-1) ?? ""],
    "page 50, by cursor": [links[49] ?? ""],
    "last page, by offset": [`${list}?since=-1&offset=${guests - 1000}`],
    "a poll that finds nothing": [`${list}?since=${now}`],
    "first page, answered 304": [`${list}?since=-1`, { "if-none-match": etag }],
    "digest": [`${list}/digest`],
  }
  const rows = [["REQUEST", "MILLISECONDS", "STATEMENTS", "BYTES"]]
  for (const [name, [path, headers]] of Object.entries(tasks)) {
    const times: number[] = []
    let bytes = 0
    let sent = 0
    for (let run = 0; run < repeats; run++) {
      const [begun, before] = [performance.now(), statements]
      const response = await get(path, headers)
      bytes = (await response.arrayBuffer()).byteLength
      times.push(performance.now() - begun)
      sent = statements - before
    }
    const median = times.sort((a, b) => a - b)[Math.floor(repeats / 2)] ?? 0
    rows.push([name, median.toFixed(1), String(sent), String(bytes)])
  }
  console.log(table(rows))
  await kernel.close()
}

const server = process.env["DATABASE_URL"]
if (server) {
  const url = new URL(server)
  const name = `bench_${crypto.randomUUID().replaceAll("-", "")}`
  const connection = await mysql.createConnection(server)
  await connection.query(`create database ${name}`)
  url.pathname = `/${name}`
  try {
    await measure(url.href)
  } finally {
    await connection.query(`drop database ${name}`)
    await connection.end()
  }
} else {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    await measure(`sqlite:${join(folder, "bench.db")}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
