import { allStorages } from "../storages.ts"
import type { Test } from "tap"
import { type Engine, freshUrl } from "../database.ts"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { LogIn } from "../../../core/access/log-in.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import type { ChangeLog } from "../../../core/change-log/change-log.ts"
import { openDatabase } from "../../../core/data/open.ts"
import { type ClockedDatabase, openClocked } from "./clocked.ts"
import { compared } from "./compared.ts"
import { openCapabilities, ProcessState } from "../../../core/kernel/capabilities.ts"
import { capabilitiesOf, type OpenCapability } from "../../../core/kernel/capability.ts"
import { openApp } from "../../../core/kernel/open-app.ts"
import { oneServer } from "../../../core/kernel/database-access.ts"
import { Recorders } from "../../../core/kernel/recorders.ts"
import { Cursors } from "../../../core/request/listing/cursor.ts"
import { Walks } from "../../../core/request/listing/walks.ts"
import type { Log } from "../../../core/log.ts"
import type { App } from "../../../core/request/app.ts"
import type { Observer } from "../../../core/request/exchange.ts"
import { capabilityNames } from "../../../core/config/installed.ts"
import { type Plan, readPlan } from "../../../core/routes/plan.ts"
import { configWith, secret, testConfig } from "../app.ts"
import { Builder, password } from "../builder.ts"
import { copySqlite } from "../sqlite-template.ts"

/** So many that no reader waits for another. */
const exportSettings = {
  records: 1_000_000,
  seconds: 120,
  connections: 100,
  concurrent_per_account: 100,
}

/** Bytes that an instance may keep. */
export interface Caches {
  readonly pages: number
  readonly records: number
}

const megabyte = 1024 * 1024

/** One instance keeps much, one little, so that it drops lists while they are walked, and no pages. Events are small. */
const usualCaches: readonly Caches[] = [
  { pages: 10_000_000, records: 10_000_000 },
  { pages: 0, records: 40_000 },
]

/** The pages that were looked for in lists in memory, and those that were found there. */
export interface LiveNumbers {
  asked: number
  found: number
}

/** Starts instances on an empty database, and removes both after the test. */
export async function freshClocked(
  t: Test,
  engine: Engine,
  options: Parameters<typeof startClocked>[2] = {},
) {
  const url = await freshUrl(t, engine)
  const world = await openClocked(engine, url)
  t.teardown(() => world.close())
  const service = await startClocked(world, url, options)
  t.teardown(() => service.close())
  return { url, world, ...service }
}

/**
 * Starts instances of the service with a test's clock, and adds accounts for each family. `app` sends
 * requests to them in turn, and compares each page of records with one that is read without caches.
 *
 * The latter folds the log of an event with more than `many` rows. Folding writes to the database of the
 * records, and the embedded one has one writer at a time.
 */
export async function startClocked(
  world: ClockedDatabase,
  url: string,
  {
    many = world.engine === "mysql" ? 2 : 1000,
    caches = usualCaches,
    observersOf = () => [],
    log = silent,
  }: {
    readonly many?: number
    /** What each instance may keep. */
    readonly caches?: readonly Caches[]
    /** Returns the observers of each instance. */
    readonly observersOf?: (index: number) => readonly Observer[]
    readonly log?: Log
  } = {},
) {
  const { database } = world
  const config = await configWithChosen(url)
  // Activity and audit use another database: their writes would wait for the model's open transactions.
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const asideUrl = `sqlite:${join(folder, "aside.db")}`
  await copySqlite(asideUrl)
  const aside = await openDatabase(asideUrl, {
    connections: 1,
    timeLimit: 10,
    storages: allStorages,
  })
  const open = async (cache: Caches, many: number, observers: readonly Observer[] = []) => {
    // The tests look at open changes themselves.
    const looks = { every: 1e9, versions: { many }, log }
    const { nodes, close: closeNodes } = await oneServer.openNodes(database, { url }, looks)
    const session = {
      ...config.session,
      secrets: [secret],
      lifetime: 31_536_000,
      idle: 0,
      secure: false,
    }
    const plan: Plan = {
      ...config,
      session,
      limits: { burst: 1_000_000, quota: 1_000_000, concurrent: 100, waiting: 100 },
      cache: { pages: cache.pages / megabyte, records: cache.records / megabyte },
    }
    const walks = new Walks(new Cursors([secret]), { ...plan.polling, accounts: plan.accounts })
    const recorders = new Recorders(log)
    const { signal } = new AbortController()
    const parts = { walks, database, nodes, log }
    const answering = capabilitiesOf(config).filter(({ capability: { name, offers } }) =>
      offers?.exports || name === "feed" || name === "memory"
    )
    const capabilities = openCapabilities(
      answering.map((each) => ({ ...each, settings: exportSettings })),
      {
        ...parts,
        plan,
        batch: recorders.batch,
        recordChange: () => {},
        closing: signal,
        draining: signal,
      },
      new ProcessState(),
    )
    const live = countLive(capabilities.get("memory"))
    const { app, close } = openApp({
      ...parts,
      plan,
      recorders,
      capabilities,
      routes: config.routes,
      info: {
        status: failUnused,
        readiness: failUnused,
        catalogue: failUnused,
        internals: failUnused,
      },
      observers,
      written: aside,
    })
    const sessions = new Sessions(database, session)
    const logIn = new LogIn(database, sessions, { secret, kind: "scrypt" })
    return {
      app,
      logIn,
      changes: nodes.changes,
      memory: capabilities.get("memory"),
      live,
      async close() {
        await Promise.all([closeNodes(), close()])
      },
    }
  }
  const withoutCaches = await open({ pages: 0, records: 0 }, many)
  const { logIn, changes } = withoutCaches
  const instances: Awaited<ReturnType<typeof open>>[] = []
  for (const [index, cache] of caches.entries()) {
    const instance = await open(cache, Infinity, observersOf(index))
    follow(instance.changes, changes)
    instances.push(instance)
  }
  const build = new Builder(database)
  // A request would wait for the model's open transactions to make one.
  await database.writer.insertInto("feed_key").values({ id: 1, secret: "a2V5" }).execute()
  const organization = await build.organization("acme")
  const cookies: Record<string, string> = {}
  for (const [name, role] of [["acme-export", "service"], ["partner", "partner"]] as const) {
    await build.account(name, role)
    await build.grant(name, { organization: "acme" })
    const { opened } = await logIn.attempt({ username: name, password, address: "" })
    cookies[name] = opened?.cookie.split(";")[0] ?? ""
  }
  const close = async () => {
    for (const each of [...instances, withoutCaches]) await each.close()
    await aside.close()
    rmSync(folder, { recursive: true })
  }
  const fetchOf = ({ app }: typeof withoutCaches): App["fetch"] => (request) => app.fetch(request)
  const app = compared(instances.map(fetchOf), fetchOf(withoutCaches))
  return { app, instances, changes, cookies, build, organization, logIn, close }
}

/** Reads the default configuration, with a family whose guests are those who consented to e-mail. */
async function configWithChosen(url: string): Promise<Plan> {
  const usual = await testConfig(url)
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    const file = join(folder, "event-export.yaml")
    const plugin = relative(folder, join(import.meta.dirname, "../filters/family.ts"))
    writeFileSync(
      file,
      `${configWith(capabilityNames())}
  - use: ${plugin}
    with: { segment: chosen, organizations: [acme], guests: email }
`,
    )
    const { routes } = await readPlan(file, { DATABASE_URL: url, SESSION_SECRET: secret })
    return { ...usual, routes }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: console.error }

function failUnused(): never {
  throw new TypeError("not used here")
}

/** Counts the pages of lists in memory. */
function countLive(memory: OpenCapability | undefined): LiveNumbers {
  const numbers = { asked: 0, found: 0 }
  const { findPage } = memory ?? {}
  if (!memory || !findPage) return numbers
  const counted: typeof findPage = async (...request) => {
    numbers.asked++
    const found = await findPage(...request)
    if (found) numbers.found++
    return found
  }
  Object.defineProperty(memory, "findPage", { value: counted })
  return numbers
}

/** Makes an instance know of open changes and of steps of the clock what another one does. */
function follow(changes: ChangeLog, leader: ChangeLog): void {
  Object.defineProperties(changes, {
    watermark: { get: () => leader.watermark },
    steps: { get: () => leader.steps },
  })
}
