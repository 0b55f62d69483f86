import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  readJson,
  readPreferences,
  respondJson,
  type Route,
  signedIn,
} from "../../../core/plugin.ts"

/** Tools that import the OpenAPI document, such as Postman, turn these examples into variables. */
const credentials = v.strictObject({
  username: v.pipe(v.string(), v.maxLength(200), v.examples(["{{username}}"])),
  password: v.pipe(v.string(), v.maxLength(1000), v.examples(["{{password}}"])),
})

const currentSession = v.strictObject({
  username: v.string(),
  role: v.picklist(["service", "partner", "operator", "viewer"]),
  expires: v.pipe(v.number(), v.safeInteger(), v.description("In Unix seconds.")),
  scope: v.pipe(
    v.nullable(v.string()),
    v.description("The token's scope; null if it may read everything that the account may."),
  ),
  families: v.pipe(
    v.array(v.string()),
    v.description("The paths of your families, beginning with the one that you used last."),
  ),
})

const newSession = v.strictObject({
  token: v.pipe(
    v.string(),
    v.description("Send it as `Authorization: Bearer TOKEN`. Protect it like a password."),
  ),
  expires: v.pipe(v.number(), v.safeInteger(), v.description("In Unix seconds.")),
})

const noStore = { "cache-control": "no-store" }

const wrongCredentials = "The user name or the password is wrong."

const settings = v.strictObject({
  /** The longest lifetime, in days, of tokens that partners create; 0 if they may not. */
  longest_days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(366)), 90),
})

/** Routes that a capability adds. */
type AddRoutes = (own: v.InferOutput<typeof settings>) => readonly Route[]

/** Logging in and out, and the current session. Capabilities may add routes. */
export default definePlugin({
  apiVersion: 3,
  name: "session",
  summary: "Log in, show the session, log out",
  settings,
  mount: (settings, additions = []) => ({
    prefix: "",
    routes: [
      handler("POST", "/session", {
        auth: anyone,
        needs: ["sessions"],
        handle: logIn,
        describe: {
          summary: "Log in",
          description:
            "Sets the cookie that other requests need. With the header `Prefer: return=representation`, " +
            "the response is 200, and its body has a token that you can send instead of the cookie.",
          requestHeaders: {
            Prefer: {
              description: "`return=representation` returns a token in the body.",
              example: "return=representation",
            },
          },
          body: credentials,
          answers: { 200: newSession, 204: null },
          headers: ["Set-Cookie", "Cache-Control", "Preference-Applied?"],
          problems: { invalid_credentials: wrongCredentials, too_many_log_ins: true },
        },
      }),
      handler("GET", "/session", {
        auth: signedIn,
        anyScope: true,
        needs: ["catalogue"],
        handle: describe,
        describe: {
          summary: "Show the session",
          description: "The account, when the session ends, and the families that it may read.",
          answers: { 200: currentSession },
          headers: ["Cache-Control"],
        },
      }),
      handler("DELETE", "/session", {
        auth: signedIn,
        anyScope: true,
        needs: ["sessions"],
        handle: logOut,
        describe: {
          summary: "Log out",
          description: "Ends this session. Other sessions of the account continue.",
          answers: { 204: null },
          headers: ["Set-Cookie?", "Cache-Control"],
        },
      }),
      ...(additions as readonly AddRoutes[]).flatMap((add) => add(settings)),
    ],
  }),
})

async function logIn({ request, host }: HandlerContext<"sessions">): Promise<Response> {
  const body = v.safeParse(credentials, await readJson(request))
  if (!body.success) {
    throw new Problem(
      "invalid_body",
      'The body must be {"username": "…", "password": "…"} and nothing else.',
    )
  }
  const opened = await host.sessions.open(body.output.username, body.output.password)
  if (!opened) throw new Problem("invalid_credentials", wrongCredentials)
  const { cookie, token, expires } = opened
  if (readPreferences(request.headers).get("return") !== "representation") {
    return respondNothing({ "set-cookie": cookie })
  }
  const applied = { "preference-applied": "return=representation" }
  return respondJson({ token, expires }, {
    headers: { "set-cookie": cookie, ...noStore, ...applied },
  })
}

async function describe({ session, host }: HandlerContext<"catalogue">): Promise<Response> {
  if (!session) throw new TypeError("GET /session is for callers with a session")
  const { account: { username, role }, expires, scope } = session
  const { families } = await host.catalogue()
  const readable = families.filter((path) => scope?.family?.includes(path) ?? true)
  return respondJson({
    ...{ username, role, expires },
    scope: scope?.text ?? null,
    families: readable,
  }, { headers: noStore })
}

async function logOut({ request, session, host }: HandlerContext<"sessions">): Promise<Response> {
  if (!session) throw new TypeError("DELETE /session is for callers with a session")
  const cookie = await host.sessions.end(session)
  // A cookie sent with a token belongs to another session, which continues.
  const isBearer = /^bearer /i.test(request.headers.get("authorization") ?? "")
  return respondNothing(isBearer ? {} : { "set-cookie": cookie })
}

function respondNothing(headers: Readonly<Record<string, string>>): Response {
  return new Response(null, { status: 204, headers: { ...headers, ...noStore } })
}
