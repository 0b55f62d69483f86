import type { Plan } from "../routes/plan.ts"
import type { StartNote } from "./capability.ts"
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
}

/** Summarizes what a service serves. */
export function summarizeStart(
  plan: Plan,
  { url, database, notes }: Pick<StartSummary, "url" | "database"> & {
    readonly notes: readonly StartNote[]
  },
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
    ...Object.assign({}, ...notes.map(({ fields }) => fields)),
  }
}

/** Returns a summary in a few lines, for a terminal. */
export function describeStart(
  { version, url, database, config, plugins }: StartSummary,
  notes: readonly StartNote[],
): string {
  const numbers = Object.entries(plugins).map(([name, routes]) => `${name} (${routes})`)
  return [
    `event-export serves ${url}`,
    `  version        ${version}`,
    `  configuration  ${config.file}, ${config.hash}`,
    `  database       ${database}`,
    `  plugins        ${numbers.join(", ")}`,
    ...notes.flatMap(({ lines }) =>
      Object.entries(lines).map(([name, text]) => `  ${name.padEnd(15)}${text}`)
    ),
  ].join("\n")
}
