import { once } from "node:events"
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Test } from "tap"
import { spawnBound } from "../spawn-bound.ts"
import { findStablePort } from "../stable-port.ts"

/** A series of the result of a query. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [at: number, value: string]
}

/** A rule, as Prometheus has evaluated it. */
export interface RuleState {
  readonly name: string
  readonly state: "inactive" | "pending" | "firing"
  readonly health: "ok" | "err" | "unknown"
  readonly lastError?: string
}

/** A running Prometheus. */
export interface Prometheus {
  /** Returns the series of an instant query. Rejects with Prometheus' own error. */
  query(expr: string): Promise<readonly Series[]>
  /** Returns the values of a label of the series that a selector matches. */
  labelValues(label: string, selector: string): Promise<readonly string[]>
  rules(): Promise<readonly RuleState[]>
  /** Returns the health of the targets that it scrapes. */
  targets(): Promise<readonly { readonly health: string; readonly lastError: string }[]>
}

/** Starts Prometheus with a configuration (JSON is YAML), on loopback, until the test ends. */
export async function startPrometheus(
  t: Test,
  program: string,
  configuration: unknown,
): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), "event-export-prometheus-"))
  const file = join(folder, "prometheus.yml")
  await writeFile(file, JSON.stringify(configuration))
  const url = `http://127.0.0.1:${await findStablePort()}`
  const log = await open(join(folder, "log"), "w")
  const child = await spawnBound([
    program,
    `--config.file=${file}`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${new URL(url).host}`,
  ], ["ignore", log.fd, log.fd])
  t.teardown(async () => {
    if (child.exitCode === null) {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
    await log.close()
    await rm(folder, { recursive: true, force: true })
  })
  const isReady = () => fetch(`${url}/-/ready`).then(({ ok }) => ok, () => false)
  while (!await isReady()) {
    if (child.exitCode !== null) throw new Error(await readFile(join(folder, "log"), "utf8"))
    await setTimeout(50)
  }
  return connectTo(url)
}

/** Asks a Prometheus at a URL. */
export function connectTo(url: string): Prometheus {
  const read = async (path: string, parameters: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    const { status, data, error } = await response.json()
    if (status !== "success") throw new Error(error)
    return data
  }
  return {
    query: async (query) => (await read("query", { query })).result,
    labelValues: (label, selector) => read(`label/${label}/values`, { "match[]": selector }),
    rules: async () => (await read("rules")).groups.flatMap(({ rules }: { rules: [] }) => rules),
    targets: async () => (await read("targets")).activeTargets,
  }
}
