import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findByName, Sessions } from "../../core/accounts.ts"
import type { Log } from "../../core/capability.ts"
import { readConfig } from "../../core/config/read.ts"
import { migrate } from "../../core/data/migrate.ts"
import { organizationsOf } from "../../core/inspection.ts"
import type { Instance } from "../../core/kernel/instance.ts"
import { startInstance } from "./instance.ts"
import type { MountedRoute, Policy } from "../../core/plugin.ts"
import { fillWithSamples, type SampleEvents, unnamed } from "./sample-data.ts"

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
    const file = join(folder, "event-export.yaml")
    // JSON is YAML as well.
    writeFileSync(file, JSON.stringify(settings))
    const plan = { ...await readConfig(file, {}), plugins: [], routes }
    const faults: string[] = []
    let events: ReadonlyMap<string, SampleEvents> = new Map()
    const instance = await startInstance(plan, {
      log: logOf(faults),
      async prepare(database) {
        await migrate(database)
        events = await fillWithSamples(database, routes.map(({ auth }) => auth))
      },
    })
    try {
      return await work(serviceOf(instance, events, faults))
    } finally {
      await instance.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Limits that no check reaches, and all capabilities. */
const settings = {
  server: { host: "127.0.0.1", port: 0, time_limit: 5 },
  database: { url: "sqlite:sample.db", connections: 1 },
  session: { secrets: ["a secret for the conformance suite only"] },
  limits: { burst: 1_000_000, quota: 1_000_000, concurrent: 100 },
  // What all capabilities add is checked, so all of them are on.
  connect: {},
  // The routes are mounted already.
  plugins: [{ use: "conformance" }],
}

/** Returns a log that collects errors. */
function logOf(faults: string[]): Log {
  const note = (fields: object) => {
    const { error } = fields as { error?: unknown }
    faults.push(error instanceof Error ? error.message : String(error))
  }
  return { debug: () => {}, info: () => {}, warn: note, error: note }
}

function serviceOf(
  { config, database, fetch }: Instance,
  events: ReadonlyMap<string, SampleEvents>,
  faults: string[],
): SampleService {
  const sessions = new Sessions(database, config.session)
  const tokens = new Map<string, string>()
  const tokenOf = async (caller: string) => {
    const account = await findByName(database.writer, caller)
    const token = tokens.get(caller) ?? (account ? (await sessions.open(account)).token : "")
    tokens.set(caller, token)
    return token
  }
  return {
    home: (policy) => events.get((organizationsOf(policy) ?? [unnamed.ours])[0] ?? ""),
    foreign: events.get(unnamed.others) as SampleEvents,
    async send(method, path, caller) {
      const headers = caller === undefined
        ? {}
        : { authorization: `Bearer ${await tokenOf(caller)}` }
      faults.length = 0
      try {
        const response = await fetch(new Request(`http://localhost${path}`, { method, headers }))
        return { status: response.status, body: await bodyOf(response), fault: faults[0] }
      } catch (error) {
        return { status: 500, body: undefined, fault: (error as Error).message }
      }
    },
  }
}

/** Reads a JSON body. Cancels any other, because it may never end, and returns undefined. */
async function bodyOf(response: Response): Promise<unknown> {
  if (/[/+]json\b/.test(response.headers.get("content-type") ?? "")) return await response.json()
  await response.body?.cancel()
  return undefined
}
