import type { Plan } from "../routes/plan.ts"
import { version } from "./version.ts"

/** A started service, for the log and for people. */
interface StartSummary {
  /** Of event-export. */
  readonly version: string
  readonly url: string
  /** The database with its version. */
  readonly database: string
  readonly config: { readonly file: string; readonly hash: string }
  /** The number of routes per plugin. */
  readonly plugins: Readonly<Record<string, number>>
  /** The address of the metrics; null if they are off. */
  readonly admin: string | null
}

/** Summarizes what a service serves. */
export function summarizeStart(
  plan: Plan,
  { url, database, admin }: Pick<StartSummary, "url" | "database" | "admin">,
): StartSummary {
  const { file, hash, plugins, routes } = plan
  const numbers = plugins.map(({ plugin: { name } }) =>
    [name, routes.filter(({ plugin }) => plugin === name).length] as const
  )
  return {
    version,
    url,
    database,
    config: { file, hash },
    plugins: Object.fromEntries(numbers),
    admin,
  }
}

/** Returns a summary in a few lines, for a terminal. */
export function describeStart(
  { version, url, database, config, plugins, admin }: StartSummary,
): string {
  const numbers = Object.entries(plugins).map(([name, routes]) => `${name} (${routes})`)
  return [
    `event-export serves ${url}`,
    `  version        ${version}`,
    `  configuration  ${config.file}, ${config.hash}`,
    `  database       ${database}`,
    `  plugins        ${numbers.join(", ")}`,
    ...(admin ? [`  metrics        ${admin}/metrics`] : []),
  ].join("\n")
}
