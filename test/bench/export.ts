import { allStorages } from "../support/storages.ts"
import { Buffer } from "node:buffer"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import process from "node:process"
import { parseArgs } from "node:util"
import mysql from "mysql2/promise"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { password } from "../support/builder.ts"
import { fill, guestCounts, usernames } from "./data.ts"
import { type BenchServer, startServer } from "./servers.ts"

/**
 * Measures the export of 100,000 guests: in a process that has just begun, and again with the records that it knows
 * by then; with `--uncached`, it keeps none. On the embedded database, or on a new database of the MySQL server that TEST_MYSQL_URL names.
 *
 *     node test/bench/export.ts [--mysql] [--uncached] [--profile FOLDER]
 */

const { values: flags } = parseArgs({
  options: {
    mysql: { type: "boolean", default: false },
    uncached: { type: "boolean", default: false },
    profile: { type: "string" },
  },
})
const secret = "a secret of the bench, 32 characters and more"
const forms = [
  { accept: "application/x-ndjson", encoding: "identity" },
  { accept: "application/x-ndjson", encoding: "zstd" },
  { accept: "application/x-ndjson", encoding: "gzip" },
  { accept: "text/csv", encoding: "zstd" },
]

const { url: databaseUrl, remove } = await newDatabase()
try {
  const database = await openDatabase(databaseUrl, {
    connections: 4,
    timeLimit: 60,
    storages: allStorages,
  })
  await migrate(database)
  const { large } = await fill(database, new Set(["large"]))
  await database.close()
  const path = `/acme/v1/events/${large}/guests/export`
  for (const form of forms) {
    const options = flags.profile ? ["--cpu-prof", `--cpu-prof-dir=${flags.profile}`] : []
    const server = await startServer(flags.uncached ? "uncached" : "ours", {
      databaseUrl,
      secret,
      flags: options,
    })
    const cookie = await logIn(server)
    for (const state of flags.uncached ? ["cold", "cold"] : ["cold", "known", "known"]) {
      writeFileSync(`/proc/${server.pid}/clear_refs`, "5")
      const before = peakOf(server)
      const usage = processorTimeOf(server)
      const { milliseconds, first, bytes } = await read(server.url + path, { ...form, cookie })
      const rate = Math.round(guestCounts.large / milliseconds * 1000)
      const megabytes = (number: number) => `${Math.round(number / 1e6)} MB`
      console.log(
        [
          flags.mysql ? "MySQL" : "embedded",
          form.accept,
          form.encoding,
          state,
          `${rate} records/s`,
          `processor ${Math.round(processorTimeOf(server) - usage)} ms`,
          `first byte ${Math.round(first)} ms`,
          megabytes(bytes),
          `peak ${megabytes(peakOf(server))}, before ${megabytes(before)}`,
        ].join("; "),
      )
    }
    await server.stop()
  }
} finally {
  await remove()
}

async function newDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  if (!flags.mysql) {
    const folder = mkdtempSync(join(tmpdir(), "event-export-bench-"))
    const remove = () => Promise.resolve(rmSync(folder, { recursive: true }))
    return { url: `sqlite:${join(folder, "bench.db")}`, remove }
  }
  const url = new URL(process.env["TEST_MYSQL_URL"] ?? "")
  const name = `bench_${crypto.randomUUID().replaceAll("-", "")}`
  const run = async (statement: string) => {
    const connection = await mysql.createConnection(url.href)
    await connection.query(statement)
    await connection.end()
  }
  await run(`create database ${name}`)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => run(`drop database ${name}`) }
}

async function logIn({ url }: BenchServer): Promise<string> {
  const response = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: usernames.full, password }),
  })
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

/** Reads an export without decoding it. Times are milliseconds. */
async function read(
  url: string,
  { accept, encoding, cookie }: {
    readonly accept: string
    readonly encoding: string
    readonly cookie: string
  },
): Promise<{ milliseconds: number; first: number; bytes: number }> {
  const began = performance.now()
  const sent = request(url, { headers: { accept, "accept-encoding": encoding, cookie } }).end()
  const [response] = await once(sent, "response") as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  let bytes = 0
  let first = 0
  let end = Buffer.alloc(0)
  for await (const chunk of response) {
    first ||= performance.now() - began
    bytes += chunk.length
    end = Buffer.concat([end, chunk]).subarray(-300)
  }
  const milliseconds = performance.now() - began
  if (encoding === "identity" && !String(end).includes(`"count":${guestCounts.large}`)) {
    throw new Error(`not all: ${end}`)
  }
  return { milliseconds, first, bytes }
}

/** Returns the processor time of a server so far, in milliseconds. Unlike the rate, it is hardly of others' load. */
function processorTimeOf({ pid }: BenchServer): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Returns the most memory that a server has had since the last reset, in bytes. */
function peakOf({ pid }: BenchServer): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  ) ?? []
  return Number(kilobytes) * 1024
}
