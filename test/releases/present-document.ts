import { secret } from "../support/app.ts"
import { runCommand } from "../support/run-command.ts"
import type { Json } from "./promise-changes.ts"

/** What programs rely on. Pages, and what belongs to them, may go. */
const promised = /^\/(session|livez|readyz|problems|openapi\.json|[^/]+\/v1)(\/|$)/

/** Returns what the OpenAPI document of the default configuration promises to programs, without texts for people. */
export async function presentDocument(): Promise<Json> {
  const env = { SESSION_SECRET: secret }
  const { code, out, err } = await runCommand("--config config/event-export.yaml openapi", { env })
  if (code !== 0) throw new Error(err)
  const { paths, ...rest } = withoutTexts(JSON.parse(out)) as Json & { readonly paths: Json }
  const kept = Object.entries(paths).filter(([path]) => promised.test(path))
  return { ...rest, paths: Object.fromEntries(kept) }
}

/** Keywords with texts and examples; as names of properties, they have a schema. */
const texts = ["description", "summary", "title", "example", "examples", "tags"]

function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => isNames || !texts.includes(name))
      .map(([name, part]) => [name, withoutTexts(part, !isNames && name === "properties")]),
  )
}
