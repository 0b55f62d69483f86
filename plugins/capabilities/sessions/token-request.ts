import * as v from "valibot"
import { parseScope, type TokenScope } from "../../../core/accounts.ts"
import { Problem, type Session } from "../../../core/plugin.ts"
import { longestName } from "./tables.ts"

/** The shortest lifetime in seconds. */
const shortest = 60

/** How a scope is written, in words. */
export const scopeForm =
  "family:PATH, event:ID, list:events, list:guests and list:items, with spaces between them"

/** What a caller says of a new token. */
export const tokenRequest = v.strictObject({
  name: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(longestName),
    v.description("Your name for the program that uses it."),
    v.examples(["n8n"]),
  ),
  lifetime: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(shortest),
    v.description("In seconds."),
    v.examples([2_592_000]),
  ),
  scope: v.optional(v.pipe(
    v.string(),
    v.description(
      `The token's scope: ${scopeForm}. Without it, the token may read everything that you may.`,
    ),
    v.examples(["list:events list:guests"]),
  )),
})

/** A new token as its maker wants it. `lifetime` is in seconds. */
export interface WantedToken {
  readonly name: string
  readonly lifetime: number
  readonly scope?: TokenScope | undefined
}

/** The detail of a 404. */
export const forPrograms = "Only accounts of programs have tokens."

/** Throws a 404 if the caller may make no token. `longest` is the longest lifetime of one, in seconds. */
export function assertMayMake({ account: { role } }: Session, longest: number): void {
  if (longest === 0 || (role !== "partner" && role !== "service")) {
    throw new Problem(
      "not_available",
      longest === 0 ? "Nobody makes tokens here: ask the operator for one." : forPrograms,
    )
  }
}

/**
 * Checks what a caller says of a new token, which may last `longest` seconds.
 * @throws {Problem} 400, which names each member that is wrong, and says what it must be.
 */
export function readTokenRequest(body: unknown, longest: number): WantedToken {
  const { success, output, issues = [] } = v.safeParse(tokenRequest, body)
  const scope = success && output.scope !== undefined ? parseScope(output.scope) : undefined
  const wrong = new Set(issues.map(({ path }) => path ? String(path[0].key) : ""))
  if (success && !isPrintable(output.name)) wrong.add("name")
  if (success && output.lifetime > longest) wrong.add("lifetime")
  if (success && output.scope !== undefined && !scope) wrong.add("scope")
  if (success && wrong.size === 0) return { ...output, scope }
  const musts = new Map([
    ["", 'The body must be {"name": "…", "lifetime": …}, with a "scope" or without.'],
    ["name", `"name" must be 1 to ${longestName} printable characters, with single spaces.`],
    ["lifetime", `"lifetime" must be a whole number of seconds from ${shortest} to ${longest}.`],
    ["scope", `"scope" must be made of ${scopeForm}.`],
  ])
  const sentences = [...wrong].map((name) => musts.get(name) ?? unknownMember(name))
  throw new Problem("invalid_body", `${sentences.join(" ")} Nothing was made.`)
}

function unknownMember(name: string): string {
  return `${JSON.stringify(name.slice(0, 40))} is not a member here.`
}

/** True for letters, digits and signs with single spaces between them, if something of it is visible. */
function isPrintable(name: string): boolean {
  return /[^\p{M}\p{Default_Ignorable_Code_Point}\u2800 ]/u.test(name) &&
    /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(name)
}
