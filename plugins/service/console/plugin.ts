import * as v from "valibot"
import { internalHandler } from "../../../core/capability.ts"
import { anyone, definePlugin, handler, type HandlerRoute } from "../../../core/plugin.ts"
import { type Files, logInRoutes, respondRefused, sendFile } from "../../design/design.ts"
import type { Addition, ConsolePage, Site } from "./addition.ts"
import { logIn } from "./area.ts"
import { pages } from "./pages.ts"
import { siteOf } from "./site.ts"

/** Pages for operators: the configuration in force, and the pages of capabilities. */
export default definePlugin({
  apiVersion: 3,
  name: "console",
  summary: "Web pages for operators",
  settings: v.strictObject({}),
  mount(_, additions = []) {
    const site = siteOf([...pages, ...additions as readonly Addition[]])
    return {
      prefix: "/console",
      routes: [...site.pages.map((page) => routeOf(page, site)), ...open],
    }
  },
})

const refused: NonNullable<HandlerRoute["refused"]> = (problem, request) =>
  respondRefused(problem, request, logIn)

const files: Files = new Map([
  ["console.js", [new URL("assets/console.js", import.meta.url), "text/javascript"]],
])

/** The routes that need no operator. */
const open: readonly HandlerRoute[] = [
  ...logInRoutes({ ...logIn, refused }),
  handler("GET", "/files/:file", {
    auth: anyone,
    handle: (context) => sendFile(context, files),
    refused,
  }),
]

/** Declares the route of a page. Browsers without a session are redirected to log in. */
function routeOf({ method, path, show, longestBody }: ConsolePage, site: Site): HandlerRoute {
  return internalHandler(method, path, {
    handle: (context) => show({ ...context, site }),
    refused,
    ...longestBody !== undefined && { longestBody },
  })
}
