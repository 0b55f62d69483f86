import * as v from "valibot"
import { parseScope, type TokenScope } from "../../../core/accounts.ts"
import { Problem, type Session } from "../../../core/plugin.ts"
import { longestName } from "./tables.ts"

/** The shortest lifetime in seconds. */
export const shortest = 60

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

/** The detail of a 400. */
const wrongScope = `The scope must be made of ${scopeForm}. Nothing was made.`

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

/** Checks what a caller says of a new token, which may last `longest` seconds. @throws {Problem} 400, in these words. */
export function readTokenRequest(
  body: unknown,
  { longest, wording }: { readonly longest: number; readonly wording: string },
): WantedToken {
  const { success, output } = v.safeParse(tokenRequest, body)
  if (!success || !isPrintable(output.name) || output.lifetime > longest) {
    throw new Problem("invalid_body", wording)
  }
  const { scope: text, ...wanted } = output
  const scope = text === undefined ? undefined : parseScope(text)
  if (text !== undefined && !scope) throw new Problem("invalid_body", wrongScope)
  return { ...wanted, scope }
}

/** True for letters, digits and signs with single spaces between them, if something of it is visible. */
function isPrintable(name: string): boolean {
  return /[^\p{M}\p{Default_Ignorable_Code_Point}\u2800 ]/u.test(name) &&
    /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u.test(name)
}
