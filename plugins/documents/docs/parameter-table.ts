import type { Catalogue } from "../../../core/plugin.ts"

/** Returns a table of the query parameters of lists, as Markdown. */
export function parameterTable(parameters: Catalogue["parameters"]): string {
  const rows = Object.entries(parameters).map(([name, { description, schema }]) =>
    `| \`${name}\` | ${defaultOf(schema)} | ${description} |`
  )
  return ["| Parameter | Default | Meaning |", "| --- | --- | --- |", ...rows, ""].join("\n")
}

function defaultOf({ default: value }: Readonly<Record<string, unknown>>): string {
  if (value === undefined) return "none"
  return value === "" ? "empty" : `\`${value}\``
}
