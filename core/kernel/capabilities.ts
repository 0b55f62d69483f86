import { hostname } from "node:os"
import type { Change, RecordChange } from "../access/changes.ts"
import type { Database } from "../data/database.ts"
import type { Observer } from "../request/facts.ts"
import type { Plan } from "../routes/plan.ts"
import {
  capabilitiesOf,
  type Host,
  type On,
  type OpenCapability,
  type OpenProcess,
  type ProcessHost,
} from "./capability.ts"
import type { Kept } from "./kept.ts"
import type { Metric } from "./metric.ts"
import type { Warning } from "./warning.ts"

/** Opens capabilities for one configuration in service. */
export function openCapabilities(
  on: readonly On[],
  host: Omit<Host, "settings" | "kept">,
  kept: Kept,
): ReadonlyMap<string, OpenCapability> {
  return new Map(
    on.flatMap(({ capability, settings }) => {
      const opened = capability.open?.({
        ...host,
        settings,
        kept: (key, make) => kept.get(`${capability.name} ${key}`, make),
      })
      return opened ? [[capability.name, opened] as const] : []
    }),
  )
}

/** Starts capabilities for a process that serves. If one fails, closes the others again. @throws as they do. */
export async function startCapabilities(
  on: readonly On[],
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
export function recorderOf(on: readonly On[]): RecordChange | undefined {
  const all = on.flatMap(({ capability }) => capability.record ? [capability] : [])
  if (all.length === 0) return undefined
  return async (db, change) => {
    for (const capability of all) await capability.record?.(db, change)
  }
}

/** A change that the service makes of its own accord. */
export type ServiceChange = Pick<Change, "action" | "detail" | "code">

/** Returns what records a change that the service makes of its own accord, in the background. */
export function recordInBackground(
  on: readonly On[],
  { database, batch }: Pick<Host, "database" | "batch">,
): (change: ServiceChange) => void {
  const record = recorderOf(on)
  if (!record) return () => {}
  const { dialect } = database
  // A batch is written again if it fails: none of it may have been written then.
  const write = (all: readonly Change[]) =>
    database.writer.transaction().execute(async (writer) => {
      for (const change of all) await record({ writer, dialect }, change)
    })
  const changes = batch(write, { name: "changes" })
  return (change) => {
    const at = Math.floor(Date.now() / 1000)
    changes.add({ actor: "service", address: hostname(), account: null, at, ...change })
  }
}

/** Returns the metrics of capabilities in service. */
export async function metricsOf(opened: Iterable<OpenCapability>): Promise<readonly Metric[]> {
  const all = await Promise.all([...opened].map((each) => each.metrics?.() ?? []))
  return all.flat()
}

/** Returns the observers of capabilities in service. */
export function observersOf(opened: Iterable<OpenCapability>): readonly Observer[] {
  return [...opened].flatMap(({ observe }) => observe ?? [])
}

/** Returns what calls several observers; undefined if there is none. */
export function together(observers: readonly Observer[]): Observer | undefined {
  if (observers.length <= 1) return observers[0]
  return (facts) => {
    for (const observe of observers) observe(facts)
  }
}

/** Finds what leads to trouble although a database can be served with a configuration. */
export async function findWarnings(database: Database, plan: Plan): Promise<readonly Warning[]> {
  const all = await Promise.all(
    capabilitiesOf(plan).map(({ capability, settings }) =>
      capability.warn?.({ database, plan, settings }) ?? []
    ),
  )
  return all.flat()
}
