import { allStorages } from "../support/storages.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { type EventName, fill, usernames } from "./data.ts"
import { copyForFormer } from "./former-database.ts"
import { type BenchMysql, openBenchMysql } from "./mysql.ts"
import type { Field } from "./requests.ts"
import { type BenchServer, type ServerName, type ServerOptions, startServer } from "./servers.ts"
import { type Cookies, logIn } from "./sessions.ts"
import { Writer } from "./writer.ts"

/** Everything that a measurement needs. */
export interface Bench {
  readonly field: Field
  readonly mysql: BenchMysql
  /** The settings for starting more servers than those of the field. */
  readonly options: ServerOptions
}

/** The requirements of a run. */
export interface BenchOptions extends Pick<ServerOptions, "against" | "capabilities"> {
  readonly events: ReadonlySet<EventName>
  /** True if a filter lets all guests through. */
  readonly filtered?: boolean | undefined
  readonly signal: AbortSignal
}

/** Runs `work` with a filled MySQL and servers that start on first use. Stops all of them. */
export async function withBench(
  { events, filtered, against, capabilities, signal }: BenchOptions,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  const mysql = await openBenchMysql(signal)
  const servers = new Map<ServerName, Promise<BenchServer>>()
  let opened: Promise<Writer> | undefined
  try {
    const secret = crypto.randomUUID() + crypto.randomUUID()
    const options = { databaseUrl: mysql.url, secret, against, capabilities }
    const prepared = await prepare(events, { ...options, filtered })
    const formerUrl = against === undefined ? undefined : await copyForFormer(mysql.url, against)
    const urls = [mysql.url, ...formerUrl === undefined ? [] : [formerUrl]]
    const writer = () => opened ??= Writer.open(urls, prepared.data)
    const start = (name: ServerName) =>
      startServer(name, {
        ...options,
        ...formerUrl !== undefined && name.startsWith("former") && { databaseUrl: formerUrl },
      })
    const server = (name: ServerName) => {
      const started = servers.get(name) ?? start(name)
      servers.set(name, started)
      return started
    }
    await work({ field: { ...prepared, server, start, writer }, options, mysql })
  } finally {
    for (const started of servers.values()) await started.then(({ stop }) => stop(), () => {})
    await opened?.then((writer) => writer.close(), () => {})
    await mysql.stop()
  }
}

/** Sessions of the account that sees full records. They take turns, so that no two requests share the look-up of one. */
const sessionsApart = 200

/** Fills an empty database, and opens sessions. */
export async function prepare(
  events: ReadonlySet<EventName>,
  { databaseUrl, secret, filtered }:
    & Pick<ServerOptions, "databaseUrl" | "secret">
    & Pick<BenchOptions, "filtered">,
): Promise<Pick<Field, "data" | "cookies" | "apart">> {
  const database = await openDatabase(databaseUrl, {
    connections: 4,
    timeLimit: 300,
    storages: allStorages,
  })
  try {
    await migrate(database)
    const began = performance.now()
    const data = await fill(database, events, filtered)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`bench: events filled in ${seconds} s: ${[...events].join(", ") || "none"}`)
    const cookies = {
      full: await logIn(database, { username: usernames.full, secret }),
      lean: await logIn(database, { username: usernames.lean, secret }),
    }
    const apart: Cookies[] = []
    // One after the other: concurrent log-ins may deadlock in MySQL.
    while (apart.length < sessionsApart) {
      apart.push(await logIn(database, { username: usernames.full, secret }))
    }
    return { data, cookies, apart }
  } finally {
    await database.close()
  }
}
