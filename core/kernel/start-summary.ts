import type { StartNote } from "./capability.ts"
import type { Instance } from "./instance.ts"
import { version } from "./version.ts"

/** Summarizes what a service serves at a URL: for the log, and in a few lines for a terminal. */
export function summarizeStart(
  { config: { file, hash, plugins, routes }, database }: Pick<Instance, "config" | "database">,
  { url, notes }: { readonly url: string; readonly notes: readonly StartNote[] },
): { readonly fields: object; readonly text: string } {
  const numbers = plugins.map(({ plugin: { name } }) =>
    [name, routes.filter(({ plugin }) => plugin === name).length] as const
  )
  const fields = {
    version,
    url,
    database: database.dialect.version,
    config: { file, hash },
    plugins: Object.fromEntries(numbers),
    ...Object.assign({}, ...notes.map(({ fields }) => fields)),
  }
  const lines = [
    ["version", version],
    ["configuration", `${file}, ${hash}`],
    ["database", database.dialect.version],
    ["plugins", Object.entries(fields.plugins).map(([name, n]) => `${name} (${n})`).join(", ")],
    ...notes.flatMap(({ lines }) => Object.entries(lines)),
  ] as const
  const text = lines.map(([name, about]) => `  ${name.padEnd(15)}${about}`)
  return { fields, text: [`event-export serves ${url}`, ...text].join("\n") }
}
