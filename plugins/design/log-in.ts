import {
  anyone,
  type Catalogue,
  handler,
  type HandlerContext,
  type HandlerRoute,
  Problem,
  signedIn,
} from "../../core/plugin.ts"
import { readOwnForm } from "./form.ts"
import { type Area, logInPath, redirectTo, respondPage } from "./frame.ts"
import { type Content, html } from "./html.ts"

/** How people log in to an area. */
export interface LogInPage {
  readonly area: Area
  /** Who may log in here, and with what. */
  readonly about: Content
  /** The page to show after logging out. */
  readonly left: string
  readonly refused: NonNullable<HandlerRoute["refused"]>
}

/** What the log-in page shows again after a refused log-in: the user name, and the contact. */
const shown = new WeakMap<Request, { username: string; contact: Catalogue["contact"] }>()

/** Declares the routes of an area's log-in page. Its forms work without scripts. */
export function logInRoutes({ refused, ...place }: LogInPage): readonly HandlerRoute[] {
  return [
    handler("GET", "/log-in", {
      auth: anyone,
      needs: ["catalogue"],
      async handle({ request, host }) {
        shown.set(request, { username: "", contact: (await host.catalogue()).contact })
        return respondLogIn(request, place)
      },
      refused,
    }),
    handler("POST", "/log-in", {
      auth: anyone,
      needs: ["sessions", "catalogue"],
      refused,
      handle: (context) => logIn(context, place.area),
    }),
    handler("POST", "/log-out", {
      auth: signedIn,
      needs: ["sessions"],
      refused,
      handle: (context) => logOut(context, place.left),
    }),
  ]
}

/** Shows the log-in page, with the reason if a log-in was refused. */
export function respondLogIn(
  request: Request,
  { area, about }: Pick<LogInPage, "area" | "about">,
  refusal?: { readonly reason: string; readonly status: number },
): Response {
  const next = nextOf(request, area)
  const { username = "", contact } = shown.get(request) ?? {}
  const focus = html`
    autofocus
  `
  return respondPage({
    area,
    title: "Log in",
    status: refusal?.status ?? 200,
    hasScripts: false,
    contact,
    main: html`
      <p class="quiet">${about}</p>
      ${refusal && html`<p class="message bad" role="alert">${refusal.reason}</p>`}
      <form class="fields narrow" method="post" action="${logInPath(area, next)}">
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

/** Logs in, and redirects the browser to the page that it requested. */
async function logIn(
  { request, host }: HandlerContext<"sessions" | "catalogue">,
  area: Area,
): Promise<Response> {
  const form = await readOwnForm(request, undefined)
  const [username = "", password = ""] = [form.get("username"), form.get("password")]
  const { contact } = await host.catalogue()
  shown.set(request, { username: username.slice(0, 200), contact })
  const opened = await host.sessions.open(username, password)
  if (!opened) {
    throw new Problem("invalid_credentials", "The user name or the password is wrong.")
  }
  return redirectTo(nextOf(request, area), { "set-cookie": opened.cookie })
}

/** Ends the session. */
async function logOut(
  { request, session, host }: HandlerContext<"sessions">,
  left: string,
): Promise<Response> {
  if (!session) throw new TypeError("a log-out is for callers with a session")
  await readOwnForm(request, session)
  const cookie = await host.sessions.end(session)
  // The browser's cache may hold lists, which the next person at this screen could read there.
  return redirectTo(left, { "set-cookie": cookie, "clear-site-data": '"cache"' })
}

/** Returns the page to show after a log-in: `next`, if it is in this area. */
export function nextOf(request: Request, { path }: Area): string {
  const { origin, searchParams } = new URL(request.url)
  const next = URL.parse(searchParams.get("next") ?? "", origin)
  const isOwn = next?.origin === origin &&
    (next.pathname === path || next.pathname.startsWith(`${path}/`))
  const isForm = isOwn && [`${path}/log-in`, `${path}/log-out`].includes(next.pathname)
  return isOwn && !isForm ? next.pathname + next.search : path
}
