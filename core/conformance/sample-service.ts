import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { organizationsOf, type Policy } from "../access/policies.ts"
import type { Database } from "../data/database.ts"
import { migrate } from "../data/migrate.ts"
import { openDatabase } from "../data/open.ts"
import { Problem } from "../http/problems.ts"
import { numbersOf } from "../kernel/numbers.ts"
import { openApp } from "../kernel/open-app.ts"
import { operationsOf } from "../kernel/operations.ts"
import { ReadinessCheck } from "../kernel/readiness.ts"
import { summarizeRoutes } from "../kernel/status.ts"
import { makeCatalogueFinder } from "../request/catalogue.ts"
import { apiVersion, type MountedRoute, type Status } from "../routes/contract.ts"
import { fillWithSamples, password, type SampleEvents, unnamed } from "./sample-data.ts"

/** A response of a sample service. */
export interface SampleResponse {
  readonly status: number
  /** Undefined if it is not JSON. */
  readonly body: unknown
  /** The first error that the log has about the request. */
  readonly fault: string | undefined
}

/** Real routes on a database of their own that has sample records. */
export interface SampleService {
  /** The events of an organization that a policy lets in; undefined if it lets none in. */
  home(policy: Policy): SampleEvents | undefined
  /** The events of an organization that no policy names. */
  readonly foreign: SampleEvents
  /** Sends a request, with the session of an account or without one. */
  send(method: string, path: string, caller?: string): Promise<SampleResponse>
}

/** Serves routes on a temporary embedded database while `work` runs, then removes the database. */
export async function withSampleService<T>(
  routes: readonly MountedRoute[],
  work: (service: SampleService) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-conformance-"))
  try {
    const url = `sqlite:${join(folder, "sample.db")}`
    const database = await openDatabase(url, { connections: 1, timeLimit: 10 })
    try {
      const { service, close } = await serviceOf(routes, database)
      try {
        return await work(service)
      } finally {
        await close()
      }
    } finally {
      await database.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serviceOf(
  routes: readonly MountedRoute[],
  database: Database,
): Promise<{ service: SampleService; close(): Promise<void> }> {
  await migrate(database)
  const events = await fillWithSamples(database, routes.map(({ auth }) => auth))
  const faults: string[] = []
  const noteFault = (fields: object) => {
    const { error } = fields as { error?: unknown }
    faults.push(error instanceof Error ? error.message : String(error))
  }
  const log = { debug: () => {}, info: () => {}, warn: noteFault, error: noteFault }
  const plan = { plugins: [], failed: [], audit: { retention: 1, required: false } }
  const check = new ReadinessCheck(database, plan, {
    lastReload: () => null,
    draining: () => false,
    audit: () => "ok",
    triggers: () => "ok",
  })
  const { app, logIn, close } = await openApp(database, {
    routes,
    failed: [],
    session: {
      secrets: ["a secret for the conformance suite only"],
      lifetime: 3600,
      cookie: "session",
      secure: true,
    },
    limits: settings.limits,
    polling: settings.polling,
    cache: { pages: 1_000_000, records: 1_000_000 },
    exports: { records: 1000, seconds: 60, concurrent: 100, concurrentPerAccount: 100 },
    changes: { isLogged: true },
    timeLimit: 5,
    audit: { required: false },
    info: {
      status: () => statusOf(routes, database),
      readiness: () => check.readiness(),
      catalogue: makeCatalogueFinder(routes, {
        database,
        cookie: "session",
        summaries: new Map(),
        numbers: () => numbersOf(settings),
      }),
      operations: operationsOf({ database, readable: () => database }, {
        ...settings,
        plugins: [],
        routes,
      }, () => {
        throw new Problem("not_available", "There is no configuration to compare a draft with.")
      }),
    },
    log,
    observers: [],
    keepLaps: false,
    timing: "off",
  })

  const cookies = new Map<string, string>()
  const cookieOf = async (caller: string) => {
    const cookie = cookies.get(caller) ??
      (await logIn.attempt({ username: caller, password, address: "" })).opened?.cookie ?? ""
    cookies.set(caller, cookie)
    return cookie.split(";", 1).join()
  }
  const service: SampleService = {
    home: (policy) => events.get((organizationsOf(policy) ?? [unnamed.ours])[0] ?? ""),
    foreign: events.get(unnamed.others) as SampleEvents,
    async send(method, path, caller) {
      const headers = caller === undefined ? {} : { cookie: await cookieOf(caller) }
      faults.length = 0
      try {
        const response = await app.fetch(
          new Request(`http://localhost${path}`, { method, headers }),
        )
        const body = await bodyOf(response)
        return { status: response.status, body, fault: faults[0] }
      } catch (error) {
        return { status: 500, body: undefined, fault: (error as Error).message }
      }
    },
  }
  return { service, close }
}

const settings = {
  limits: { burst: 1_000_000, quota: 1_000_000, concurrent: 100, waiting: 100 },
  accounts: {},
  session: { lifetime: 3600, idle: 0 },
  polling: {
    lag: 30,
    retention: 3600,
    wait: 50,
    intervals: { running: 60, upcoming: 60, closed: 60 },
  },
  export: { records: 1_000_000, seconds: 120 },
  disclosures: { overdue: 7 },
}

/** Reads a JSON body. Cancels any other, because it may never end, and returns undefined. */
async function bodyOf(response: Response): Promise<unknown> {
  if (/[/+]json\b/.test(response.headers.get("content-type") ?? "")) return await response.json()
  await response.body?.cancel()
  return undefined
}

function statusOf(routes: readonly MountedRoute[], { dialect }: Database): Status {
  return {
    config: { file: "", hash: "" },
    contract: apiVersion,
    database: dialect.version,
    since: Math.floor(Date.now() / 1000),
    plugins: [],
    failed: [],
    routes: summarizeRoutes(routes),
    fixedSettings: {},
    lastReload: null,
  }
}
