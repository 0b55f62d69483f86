import { hostname } from "node:os"
import type { AuditChange, RecordChange } from "../access/audit-changes.ts"
import type { Database } from "../data/database.ts"
import type { Plan } from "../routes/plan.ts"
import {
  capabilitiesOf,
  type Capability,
  type CapabilityHost,
  type EnabledCapability,
  type Follow,
  type OpenCapability,
  type OpenProcess,
  type ProcessHost,
  type ServiceChange,
  type Warning,
} from "./capability.ts"

/** What a process keeps across reloads. */
export class ProcessState {
  readonly #things = new Map<string, unknown>()

  /** Returns what is kept under a name; makes it the first time. */
  get<T>(name: string, make: () => T): T {
    if (!this.#things.has(name)) this.#things.set(name, make())
    return this.#things.get(name) as T
  }
}

/** Opens capabilities for one configuration in service. If one fails, closes the others again. @throws as they do. */
export function openCapabilities(
  on: readonly EnabledCapability[],
  host: Omit<CapabilityHost, "settings" | "keep">,
  kept: ProcessState,
): ReadonlyMap<string, OpenCapability> {
  const opened = new Map<string, OpenCapability>()
  try {
    for (const { capability, settings } of on) {
      const { name } = capability
      const own = capability.open?.({
        ...host,
        settings,
        keep: (key, make) => kept.get(`${name} ${key}`, make),
      })
      if (own) opened.set(name, own)
    }
    return opened
  } catch (error) {
    for (const each of opened.values()) void each.close?.().catch(() => {})
    throw error
  }
}

/**
 * Prepares a database for a configuration, and opens that last. @throws as `open` and capabilities do; nothing has
 * changed then.
 */
export async function settleCapabilities<T extends { close(): Promise<void> }>(
  host: Parameters<NonNullable<Capability["settle"]>>[0],
  open: () => T,
): Promise<{ readonly instance: T; readonly follow: Follow }> {
  const all: Follow[] = []
  let instance: T | undefined
  const settle = async ([first, ...rest]: readonly Capability[]): Promise<void> => {
    if (first?.settle) all.push(await first.settle(host, () => settle(rest)))
    else instance = open()
  }
  const on = capabilitiesOf(host.plan).map(({ capability }) => capability)
  try {
    await settle(on.filter((capability) => capability.settle))
  } catch (error) {
    await instance?.close()
    throw error
  }
  if (!instance) throw new TypeError("a capability has settled without opening the configuration")
  return {
    instance,
    follow: async (alone) => void await Promise.all(all.map((follow) => follow(alone))),
  }
}

/** Starts capabilities for a process that serves. If one fails, closes the others again. @throws as they do. */
export async function startCapabilities(
  on: readonly EnabledCapability[],
  host: Omit<ProcessHost, "settings">,
): Promise<readonly OpenProcess[]> {
  const started: OpenProcess[] = []
  try {
    for (const { capability, settings } of on) {
      if (capability.start) started.push(await capability.start({ ...host, settings }))
    }
    return started
  } catch (error) {
    await Promise.all(started.map((each) => each.close?.()))
    throw error
  }
}

/** Returns what records a change in the transaction that makes it; undefined if nothing does. */
export function recorderOf(on: readonly EnabledCapability[]): RecordChange | undefined {
  const all = on.flatMap(({ capability }) => capability.record ? [capability] : [])
  if (all.length === 0) return undefined
  return async (db, change) => {
    for (const capability of all) await capability.record?.(db, change)
  }
}

/** Returns what records a change that the service makes of its own accord, in the background. */
export function recordInBackground(
  on: readonly EnabledCapability[],
  { database, batch }: Pick<CapabilityHost, "database" | "batch">,
): (change: ServiceChange) => void {
  const record = recorderOf(on)
  if (!record) return () => {}
  const { dialect } = database
  // A batch is written again if it fails: none of it may have been written then.
  const write = (all: readonly AuditChange[]) =>
    database.writer.transaction().execute(async (writer) => {
      for (const change of all) await record({ writer, dialect }, change)
    })
  const changes = batch(write, { name: "changes" })
  return (change) => {
    const at = Math.floor(Date.now() / 1000)
    changes.add({ actor: "service", address: hostname(), account: null, at, ...change })
  }
}

/** Finds what leads to trouble although the service can start. */
export async function findWarnings(database: Database, plan: Plan): Promise<readonly Warning[]> {
  const all = await Promise.all(
    capabilitiesOf(plan).map(({ capability, settings }) =>
      capability.warn?.({ database, plan, settings }) ?? []
    ),
  )
  return all.flat()
}
