import * as v from "valibot"
import { parseScope } from "../../../core/accounts.ts"
import {
  anyone,
  handler,
  type HandlerContext,
  Problem,
  readForm,
  respondJson,
  type Route,
} from "../../../core/plugin.ts"
import { scopeForm } from "./token-request.ts"

/** The examples are variables in tools that import the OpenAPI document. */
const asked = v.strictObject({
  grant_type: v.pipe(v.literal("client_credentials"), v.examples(["client_credentials"])),
  client_id: v.pipe(v.string(), v.examples(["{{username}}"])),
  client_secret: v.pipe(v.string(), v.examples(["{{password}}"])),
  scope: v.optional(v.pipe(v.string(), v.description(`The token's scope: ${scopeForm}.`))),
})

const granted = v.strictObject({
  access_token: v.pipe(v.string(), v.description("Send it as `Authorization: Bearer TOKEN`.")),
  token_type: v.literal("Bearer"),
  expires_in: v.pipe(v.number(), v.safeInteger(), v.description("In seconds.")),
  scope: v.optional(v.string()),
})

const failed = v.strictObject({ error: v.string(), error_description: v.string() })

/** Why no token is given, with a code of RFC 6749, section 5.2. */
class OAuthError extends Error {
  override readonly name = "OAuthError"
  readonly error: string

  constructor(error: string, description: string) {
    super(description)
    this.error = error
  }

  get status(): number {
    return this.error === "invalid_client" ? 401 : 400
  }
}

const noStore = { "cache-control": "no-store" }

/**
 * Logs in by the client credentials grant of OAuth 2.0 (RFC 6749, section 4.4), for tools that know only that: the client
 * is an account, its secret the password. The token is a session that cannot make other tokens.
 */
export const oauthRoute: Route = handler("POST", "/oauth/token", {
  auth: anyone,
  needs: ["sessions"],
  handle: grant,
  describe: {
    summary: "Get a token by OAuth 2.0",
    description:
      "The client credentials grant of RFC 6749: the client ID is your user name, the client secret your " +
      "password. You can also send both by HTTP Basic.",
    form: asked,
    answers: { 200: granted, 400: failed, 401: failed },
    headers: ["Cache-Control"],
    problems: { too_many_log_ins: true },
  },
})

async function grant({ request, host }: HandlerContext<"sessions">): Promise<Response> {
  try {
    const form = await readParameters(request)
    const { username, password } = credentialsOf(request.headers, form)
    assertGrantType(form)
    const scope = scopeOf(form)
    const limits = { isForProgram: true, scope } as const
    const opened = await host.sessions.open(username, password, limits)
    if (!opened) throw new OAuthError("invalid_client", "The user name or the password is wrong.")
    const body = {
      access_token: opened.token,
      token_type: "Bearer",
      expires_in: Math.max(0, opened.expires - Math.floor(Date.now() / 1000)),
      ...scope && { scope: scope.text },
    }
    return respondJson(body, { headers: noStore })
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const challenge = { "www-authenticate": 'Basic realm="event-export"' }
    return respondJson({ error: error.error, error_description: error.message }, {
      status: error.status,
      headers: { ...noStore, ...error.status === 401 && challenge },
    })
  }
}

/** Reads the form. @throws {OAuthError} if it is not a form, or names a parameter twice. @throws {Problem} 413. */
async function readParameters(request: Request): Promise<ReadonlyMap<string, string>> {
  const form = await readForm(request).catch((error: unknown) => {
    const isOther = error instanceof Problem && error.code !== "body_too_large"
    throw isOther ? new OAuthError("invalid_request", error.message) : error
  })
  const parameters = new Map<string, string>()
  for (const [name, value] of form) {
    if (parameters.has(name) || typeof value !== "string") {
      throw new OAuthError("invalid_request", "A parameter is there twice, or is a file.")
    }
    parameters.set(name, value)
  }
  return parameters
}

/** Returns the name and the password, which are in the form or in `Authorization: Basic`. @throws {OAuthError} */
function credentialsOf(
  headers: Headers,
  form: ReadonlyMap<string, string>,
): { readonly username: string; readonly password: string } {
  const [, encoded] = /^basic +(\S+)$/i.exec(headers.get("authorization")?.trim() ?? "") ?? []
  const username = form.get("client_id")
  const password = form.get("client_secret")
  if (encoded === undefined) {
    if (username !== undefined && password !== undefined) return { username, password }
    throw new OAuthError(
      "invalid_client",
      "Send client_id and client_secret in the form, or by HTTP Basic.",
    )
  }
  if (password !== undefined) {
    throw new OAuthError("invalid_request", "The client's secret is there twice: send it one way.")
  }
  const [, name, secret] = /^([^:]*):([^]*)$/.exec(decode(encoded)) ?? []
  if (name === undefined || secret === undefined) {
    throw new OAuthError("invalid_client", "Authorization: Basic has no name and password.")
  }
  const named = formDecoded(name)
  if (username !== undefined && username !== named) {
    throw new OAuthError("invalid_request", "client_id is another one than in HTTP Basic.")
  }
  return { username: named, password: formDecoded(secret) }
}

/** @throws {OAuthError} for other grants. */
function assertGrantType(form: ReadonlyMap<string, string>): void {
  const type = form.get("grant_type")
  if (type === "client_credentials") return
  throw new OAuthError(
    type === undefined ? "invalid_request" : "unsupported_grant_type",
    "grant_type must be client_credentials.",
  )
}

function scopeOf(form: ReadonlyMap<string, string>) {
  const text = form.get("scope") ?? ""
  const scope = text === "" ? undefined : parseScope(text)
  if (text === "" || scope) return scope
  throw new OAuthError("invalid_scope", `The scope must be made of ${scopeForm}.`)
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8")
}

/** RFC 6749 encodes both parts as a form does; many clients send them as they are, also with what no encoded text has. */
function formDecoded(text: string): string {
  if (/[^\w*.\-!'()~+%]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll("+", "%20"))
  } catch {
    return text
  }
}
