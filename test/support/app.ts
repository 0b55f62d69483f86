import "./clean-environment.ts"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Test } from "tap"
import type { Database } from "../../core/data/database.ts"
import type { Instance } from "../../core/kernel/instance.ts"
import { startInstance } from "../conformance/instance.ts"
import { itemCategories } from "../../core/records/kinds/items.ts"
import { type Plan, readPlan } from "../../core/routes/plan.ts"
import { Builder, password } from "./builder.ts"
import { scannedLog } from "./scanned-log.ts"
import { listStorages } from "../../core/kernel/configured-database.ts"
import { copiedUrl, type Engine, isElsewhere, onEmbedded, openFor, ownUrl } from "./database.ts"
import { withoutDeno } from "./runtimes.ts"
import { filterInside } from "./test-filter.ts"

export const secret = "a secret of the tests, 32 characters and more"
export const configFile = "config/event-export.yaml"

/** A running service on a fresh database, in this process or another. */
export interface App {
  readonly database: Database
  readonly build: Builder
  /** True if no capability is on. */
  readonly isBare: boolean
  /** The log's entries so far; always empty if the service runs in another process. */
  readonly entries: readonly Record<string, unknown>[]
  /** Sends a request to a path of the service. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Logs in, and returns a function that sends requests with the session's cookie. */
  logIn(username: string): Promise<App["request"]>
}

/** What fills the database of a service before it is started. */
export type Prepare = (build: Builder) => Promise<unknown>
const leaveEmpty: Prepare = () => Promise.resolve()

/**
 * Fills all tables of records, in an event of an organization that no account may read. A table that gets its first
 * record later changes the tags of all pages once more: when the service sees it, seconds after its start.
 */
export async function fillElsewhere(build: Builder): Promise<void> {
  const event = await build.event(await build.organization("elsewhere"))
  const guest = await build.guest(event)
  await build.consent(event, guest)
  await build.address(event, guest)
  for (const category of itemCategories) await build.item(category, event)
}

/**
 * Runs a suite of HTTP tests on the embedded database in this process. A suite that needs no capability runs once more
 * without any: families and documents alone are a complete service. `make soak STAGE=engines` runs it on MySQL and on a
 * server under Deno.
 */
export async function onEveryApp(
  t: Test,
  suite: (t: Test, app: App) => Promise<void>,
  prepare = leaveEmpty,
  { needsCapabilities = false }: { readonly needsCapabilities?: boolean } = {},
): Promise<void> {
  await onEmbedded(
    t,
    async (t, engine) => suite(t, await freshApp(t, engine, { prepare })),
  )
  await t.test("with no capability", {
    skip: needsCapabilities
      ? "the suite is about capabilities"
      : isElsewhere && "make test runs it",
  }, async (t) => {
    filterInside(t)
    await suite(t, await freshApp(t, "sqlite", { prepare, capabilities: [] }))
  })
  await t.test(
    "under Deno",
    { skip: isElsewhere ? withoutDeno : "make soak STAGE=engines runs it" },
    async (t) => {
      filterInside(t)
      const { processApp } = await import("../soak/support/service-process.ts")
      await suite(t, await processApp(t, "deno", prepare))
    },
  )
}

/**
 * Reads the default configuration, for a database, with room for fewer records: memory takes time to collect.
 * `capabilities` are in place of all.
 */
export async function testConfig(
  url: string,
  environment: Record<string, string> = {},
  capabilities?: readonly string[],
): Promise<Plan> {
  const key = JSON.stringify([environment, capabilities])
  const reading = plans.get(key) ?? readDefault(environment, capabilities)
  plans.set(key, reading)
  const plan = await reading
  return {
    ...plan,
    database: { ...plan.database, url },
    cache: { ...plan.cache, records: 2 },
  }
}

/** Those that were read, by what may differ besides the database: reading one takes as long as many a test. */
const plans = new Map<string, Promise<Plan>>()

async function readDefault(
  environment: Record<string, string>,
  capabilities: readonly string[] | undefined,
): Promise<Plan> {
  const variables = { DATABASE_URL: "sqlite:x", SESSION_SECRET: secret, PORT: "0", ...environment }
  if (!capabilities) return await readPlan(configFile, variables)
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    const file = join(folder, "event-export.yaml")
    writeFileSync(file, configWith(capabilities))
    return await readPlan(file, variables)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the text of the default configuration with these capabilities. */
export function configWith(capabilities: readonly string[]): string {
  return readFileSync(configFile, "utf8")
    .replace(/^capabilities:\n( {2}.*\n)+/m, `capabilities: [${capabilities.join(", ")}]\n`)
    .replace("module: ./demo", `module: ${resolve("config/demo")}`)
}

/** Starts the service in this process, with the default configuration. */
export async function freshApp(
  t: Test,
  engine: Engine,
  { onStatement, prepare = leaveEmpty, capabilities, environment = {} }: {
    readonly onStatement?: (sql: string) => void
    readonly prepare?: Prepare
    /** In place of all. The database has no tables of the others. */
    readonly capabilities?: readonly string[]
    readonly environment?: Record<string, string>
  } = {},
): Promise<App & { readonly instance: Instance }> {
  const storages = capabilities && listStorages(await testConfig("", environment, capabilities))
  const url = await (storages ? ownUrl(t, engine, storages) : copiedUrl(t, engine))
  const entries: Record<string, unknown>[] = []
  const config = await testConfig(url, environment, capabilities)
  const database = await openFor(t, url, storages && { storages })
  await prepare(new Builder(database))
  const instance = await startInstance({ ...config, limits: generous, accounts: { frugal } }, {
    log: scannedLog(t, entries),
    // Looks at the change log, and entries that are written, would be between the statements.
    ...(onStatement ? { onStatement, changes: { every: 1e9 } } : { recorderTimes: { every: 20 } }),
  })
  t.teardown(() => instance.close())
  const app = appOf(
    database,
    entries,
    (path, init) => instance.fetch(new Request(`http://localhost${path}`, init)),
  )
  return { ...app, isBare: capabilities?.length === 0, instance }
}

/** Limits for test suites, which send more requests per second than partners do. */
export const generous = { burst: 100_000, quota: 1_000_000, concurrent: 100, waiting: 100 }

/** The limits of the account of this name. */
export const frugal = { quota: 100 }

/** The same as settings. */
export const generousSettings = { burst: 100_000, quota: 1_000_000, concurrent: 100 }

/** Returns an app whose service answers by `request`. */
export function appOf(database: Database, entries: App["entries"], request: App["request"]): App {
  return {
    database,
    build: new Builder(database),
    isBare: false,
    entries,
    request,
    async logIn(username) {
      const response = await request("/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ username, password }),
      })
      const cookie = response.headers.getSetCookie()[0]?.split(";")[0]
      if (response.status !== 204 || !cookie) {
        throw new Error(`${username} cannot log in: ${response.status}`)
      }
      return (path, init = {}) => {
        const headers = new Headers(init.headers)
        headers.set("cookie", cookie)
        return request(path, { ...init, headers })
      }
    },
  }
}
