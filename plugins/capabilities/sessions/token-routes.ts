import * as v from "valibot"
import { type InternalContext, internalHandler } from "../../../core/capability.ts"
import { readJson, respondJson, type Route, signedIn } from "../../../core/plugin.ts"
import { oauthRoute } from "./oauth-route.ts"
import { assertMayMake, forPrograms, readTokenRequest, tokenRequest } from "./token-request.ts"
import {
  createToken,
  listOwnTokens,
  mostTokens,
  noSuchToken,
  revokeOwnToken,
  type Token,
  tooMany,
} from "./tokens.ts"

/** What operators decide about tokens: settings of the plugin `session`. */
interface TokenSettings {
  /** The most days of a token; 0 if nobody may make one. */
  readonly longest_days: number
}

const aDay = 86_400

const time = (description: string) =>
  v.pipe(v.number(), v.safeInteger(), v.description(description))

const described = {
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  created: time("In Unix seconds."),
  expires: time("In Unix seconds."),
  scope: v.pipe(
    v.nullable(v.string()),
    v.description("Its scope; null if it may read everything that its account may."),
  ),
}

const newToken = v.strictObject({
  ...described,
  token: v.pipe(
    v.string(),
    v.description("Send it as `Authorization: Bearer TOKEN`. No other response has it."),
  ),
})

const tokens = v.array(v.strictObject({
  ...described,
  lastUsed: v.pipe(
    v.nullable(v.pipe(v.number(), v.safeInteger())),
    v.description("In Unix seconds, exact to a minute; null if it has not been used."),
  ),
  lastAddress: v.pipe(
    v.nullable(v.string()),
    v.description("The IP address that it was last used from; null if unknown."),
  ),
}))

const noStore = { "cache-control": "no-store" }
const headers = ["Cache-Control"]

/** The routes for partners' own tokens, beside those of the plugin `session`. */
export function tokenRoutes({ longest_days }: TokenSettings): Route[] {
  return [
    oauthRoute,
    internalHandler("POST", "/session/tokens", {
      auth: signedIn,
      handle: (context) => make(context, longest_days * aDay),
      describe: {
        summary: "Make a token",
        description: "Makes a token for a program. It outlives this session. An account may have " +
          `${mostTokens.all} at a time, ${mostTokens.ofName} of one name, so that a new one can take the place of an old one.`,
        body: tokenRequest,
        answers: { 201: newToken },
        headers,
        problems: {
          not_with_a_token: true,
          not_available: forPrograms,
          too_many_tokens: tooMany.ofName,
        },
      },
    }),
    internalHandler("GET", "/session/tokens", {
      auth: signedIn,
      handle: list,
      describe: {
        summary: "List the tokens",
        description: "The account's valid tokens, oldest first.",
        answers: { 200: tokens },
        headers,
        problems: { not_with_a_token: true },
      },
    }),
    internalHandler("DELETE", "/session/tokens/:id", {
      auth: signedIn,
      handle: revoke,
      describe: {
        summary: "Revoke a token",
        description: "Ends one of the account's tokens. Its next request gets 401.",
        parameters: { id: "The token's id." },
        answers: { 204: null },
        headers,
        problems: {
          not_with_a_token: true,
          not_found: noSuchToken,
        },
      },
    }),
  ]
}

async function make(context: InternalContext, longest: number): Promise<Response> {
  const { caller, by } = ownChange(context)
  assertMayMake(caller, longest)
  const wanted = readTokenRequest(await readJson(context.request), longest)
  return respondJson(await createToken(context.internals.database, wanted, { caller, by }), {
    status: 201,
    headers: noStore,
  })
}

async function list(context: InternalContext): Promise<Response> {
  const own = await listOwnTokens(context.internals.readable, ownChange(context).caller)
  return respondJson(own.map(toJson), { headers: noStore })
}

async function revoke(context: InternalContext): Promise<Response> {
  const id = (context.params["id"] ?? "").toLowerCase()
  await revokeOwnToken(context.internals.database, id, ownChange(context))
  return new Response(null, { status: 204, headers: noStore })
}

function toJson({ id, name, created, expires, scope, used, address }: Token) {
  return { id, name, created, expires, scope, lastUsed: used, lastAddress: address }
}

function ownChange({ session, internals: { author } }: InternalContext) {
  if (!session) throw new TypeError("tokens are for callers with a session")
  return { caller: session, by: author }
}
