import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  readJson,
  respondJson,
  signedIn,
} from "../../core/plugin.ts"

const credentials = v.strictObject({
  username: v.pipe(v.string(), v.maxLength(200)),
  password: v.pipe(v.string(), v.maxLength(1000)),
})

/** Logging in and out, and who one is. */
export default definePlugin({
  apiVersion: 1,
  name: "session",
  summary: "Log in, see who is logged in, log out",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "",
    routes: [
      handler("POST", "/session", { auth: anyone, handle: logIn }),
      handler("GET", "/session", { auth: signedIn, handle: describe }),
      handler("DELETE", "/session", { auth: signedIn, handle: logOut }),
    ],
  }),
})

async function logIn({ request, sessions }: HandlerContext): Promise<Response> {
  const body = v.safeParse(credentials, await readJson(request))
  if (!body.success) {
    throw new Problem(
      "invalid_body",
      'The body must be {"username": "…", "password": "…"} and nothing else.',
    )
  }
  const cookie = await sessions.begin(body.output.username, body.output.password)
  if (!cookie) throw new Problem("invalid_credentials", "The user name or the password is wrong.")
  return withCookie(cookie)
}

function describe({ session }: HandlerContext): Response {
  if (!session) throw new TypeError("GET /session is for callers with a session")
  const { account: { username, role }, expires } = session
  return respondJson({ username, role, expires }, { headers: { "cache-control": "no-store" } })
}

async function logOut({ session, sessions }: HandlerContext): Promise<Response> {
  if (!session) throw new TypeError("DELETE /session is for callers with a session")
  return withCookie(await sessions.end(session))
}

function withCookie(cookie: string): Response {
  return new Response(null, {
    status: 204,
    headers: { "set-cookie": cookie, "cache-control": "no-store" },
  })
}
