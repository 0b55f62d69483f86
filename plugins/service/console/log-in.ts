import { type HandlerContext, Problem } from "../../../core/plugin.ts"
import { readOwnForm } from "./forms.ts"
import { redirectTo, respondPage } from "./frame.ts"
import { html } from "./html.ts"
import { sessionOf } from "./reader.ts"

/** The user names of log-ins, which the form shows again if they are refused. */
const typed = new WeakMap<Request, string>()

/** Shows the log-in page, with the reason why a log-in was refused. */
export function respondLogIn(
  request: Request,
  refusal?: { readonly reason: string; readonly status: number },
): Response {
  const next = nextOf(request)
  const username = typed.get(request) ?? ""
  const focus = html`
    autofocus
  `
  const action = `/console/log-in${next === "/console" ? "" : `?next=${encodeURIComponent(next)}`}`
  return respondPage({
    title: "Log in",
    status: refusal?.status ?? 200,
    main: html`
      <p class="quiet">For accounts with the role operator or viewer.</p>
      ${refusal && html`<p class="message bad" role="alert">${refusal.reason}</p>`}
      <form class="fields narrow" method="post" action="${action}">
        <label for="username">User name</label>
        <input id="username" name="username" autocomplete="username" autocapitalize="none" required
          value="${username}" ${username === "" && focus}>
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password"
          required${username !== "" && focus}>
        <button class="main">Log in</button>
      </form>
    `,
  })
}

/** Logs in, and sends the browser to the page that it wanted. */
export async function logIn({ request, host }: HandlerContext<"sessions">): Promise<Response> {
  const form = await readOwnForm(request, undefined)
  const [username = "", password = ""] = [form.get("username"), form.get("password")]
  typed.set(request, username.slice(0, 200))
  const isPossible = username.length <= 200 && password.length <= 1000
  const cookie = isPossible ? await host.sessions.begin(username, password) : undefined
  if (!cookie) {
    throw new Problem("invalid_credentials", "The user name or the password is wrong.")
  }
  return redirectTo(nextOf(request), { "set-cookie": cookie })
}

/** Ends the session. */
export async function logOut(context: HandlerContext<"sessions">): Promise<Response> {
  const session = sessionOf(context)
  await readOwnForm(context.request, session)
  const cookie = await context.host.sessions.end(session)
  return redirectTo("/console/log-in", { "set-cookie": cookie })
}

/** Returns the page of the console to show after a log-in: `next`, which may be no other address. */
export function nextOf(request: Request): string {
  const { origin, searchParams } = new URL(request.url)
  const next = URL.parse(searchParams.get("next") ?? "", origin)
  const isOwn = next?.origin === origin && /^\/console(\/|$)/.test(next.pathname)
  return isOwn && !next.pathname.startsWith("/console/log-")
    ? next.pathname + next.search
    : "/console"
}
