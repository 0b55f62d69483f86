import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrate } from "../../../core/data/migrate.ts"
import { openDatabase } from "../../../core/data/open.ts"
import { Activity } from "../../../core/access/activity.ts"
import { LogIn } from "../../../core/access/log-in.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import type { ClockedDatabase } from "./clocked.ts"
import { type App as Fetch, createApp } from "../../../core/request/app.ts"
import { AuditTrail } from "../../../core/observe/audit-trail.ts"
import { EntityTags } from "../../../core/http/etag.ts"
import { Limits } from "../../../core/request/limits.ts"
import { Pages } from "../../../core/request/listing/page-cache.ts"
import { Gate } from "../../../core/access/gate.ts"
import { Versions } from "../../../core/change-log/versions.ts"
import { Cursors } from "../../../core/request/listing/cursor.ts"
import { secret, testConfig } from "../app.ts"
import { Builder, password } from "../builder.ts"
import type { List, Place, ReadPage, RecordCopy, Source } from "./reader.ts"

/** Seconds that a transaction may take, in the tests' service. */
export const lag = 30

/** Starts the service with a test's clock, and adds accounts for each family. */
export async function startClocked(world: ClockedDatabase, url: string) {
  const { database } = world
  const config = await testConfig(url)
  const sessions = new Sessions(database, {
    ...config.session,
    secrets: [secret],
    lifetime: 31_536_000,
    idle: 0,
    secure: false,
  })
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error }
  const logIn = new LogIn(database, sessions)
  // Activity and audit use another database: their writes would wait for the model's open transactions.
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const aside = await openDatabase(`sqlite:${join(folder, "aside.db")}`, {
    connections: 1,
    timeLimit: 10,
  })
  await migrate(aside)
  const activity = new Activity(aside, silent)
  const audit = new AuditTrail(aside, silent)
  const versions = new Versions(database, { log: silent, pause: 0, many: 2 })
  const app = createApp(config.routes, {
    gate: new Gate(database),
    sessions,
    logIn,
    activity,
    audit,
    limits: new Limits({ burst: 1_000_000, quota: 1_000_000, concurrent: 100 }),
    cursors: new Cursors([secret]),
    pages: new Pages(database, { versions, tags: new EntityTags([secret]), bytes: 10_000_000 }),
    polling: { ...config.polling, lag },
    log: silent as never,
    timeLimit: 30,
    failed: [],
    onAnswer: () => {},
    keepLaps: false,
    timing: "off",
    readiness: () => Promise.reject(new TypeError("not asked for")),
    status: () => {
      throw new TypeError("not asked for")
    },
    openapi: () => {
      throw new TypeError("not asked for")
    },
  })
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const cookies: Record<string, string> = {}
  for (const [name, role] of [["acme-export", "service"], ["partner", "partner"]] as const) {
    await build.account(name, role)
    await build.grant(name, { organization: "acme" })
    const { cookie } = await logIn.attempt({ username: name, password, address: "" })
    cookies[name] = cookie?.split(";")[0] ?? ""
  }
  const close = async () => {
    await Promise.all([activity.close(), audit.close(), versions.close()])
    await aside.close()
    rmSync(folder, { recursive: true })
  }
  return { app, cookies, build, organization, close }
}

/** A list of the service as a source for readers. */
export class ServiceSource implements Source {
  readonly #app: Fetch
  readonly #cookie: string
  readonly #path: string
  #walk: number | undefined

  constructor(app: Fetch, cookie: string, path: string) {
    this.#app = app
    this.#cookie = cookie
    this.#path = path
  }

  async page(list: List, place: Place): Promise<ReadPage> {
    const path = list === "records" ? this.#path : `${this.#path}/deletions`
    const url = "link" in place ? place.link : `http://localhost${path}?${queryOf(place)}`
    const response = await this.#app(new Request(url, { headers: { cookie: this.#cookie } }))
    if (response.status !== 200) throw new Error(`${url}: ${await response.text()}`)
    const nextSince = Number(response.headers.get("next-since"))
    if ("link" in place && nextSince !== this.#walk) {
      throw new Error(`Next-Since changed from ${this.#walk} to ${nextSince} within a walk`)
    }
    this.#walk = nextSince
    const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
    return { records: recordsOf(await response.json()), nextSince, link }
  }

  /** Returns all current records. */
  async everything(): Promise<readonly RecordCopy[]> {
    return (await this.page("records", { since: -1, offset: 0, limit: 1000 })).records
  }
}

function queryOf({ since, offset, limit }: Exclude<Place, { link: string }>): string {
  const query = new URLSearchParams({ offset: String(offset), limit: String(limit) })
  if (since !== undefined) query.set("since", String(since))
  return query.toString()
}

function recordsOf(body: readonly RecordCopy[] | Readonly<Record<string, readonly RecordCopy[]>>) {
  return Array.isArray(body) ? body as readonly RecordCopy[] : Object.values(body).flat()
}
