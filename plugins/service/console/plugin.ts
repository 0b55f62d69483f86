import * as v from "valibot"
import { insideHandler } from "../../../core/capability.ts"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  type HandlerRoute,
  Problem,
  respondFile,
} from "../../../core/plugin.ts"
import { logInRoutes, respondRefused } from "../../design/design.ts"
import type { Addition, Page, Site } from "./addition.ts"
import { logIn } from "./area.ts"
import { findFile } from "./files.ts"
import { pages } from "./pages.ts"
import { problemOf } from "./refused.ts"
import { siteOf } from "./site.ts"

/** Pages for operators: the accounts, the configuration in force, and what capabilities show of their data. */
export default definePlugin({
  apiVersion: 2,
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

/** The routes that need no operator. */
const open: readonly HandlerRoute[] = [
  ...logInRoutes({ ...logIn, refused }),
  handler("GET", "/files/:file", { auth: anyone, handle: sendFile, refused }),
]

/** Declares the route of a page. Browsers without a session are sent to log in. */
function routeOf({ method, path, show, longestBody }: Page, site: Site): HandlerRoute {
  return insideHandler(method, path, {
    async handle(context) {
      try {
        return await show({ ...context, site })
      } catch (error) {
        throw problemOf(error)
      }
    },
    refused,
    ...longestBody !== undefined && { longestBody },
  })
}

async function sendFile({ request, params }: HandlerContext): Promise<Response> {
  const file = await findFile(params["file"] ?? "")
  if (!file) throw new Problem("not_found", "There is no such file.")
  return respondFile(request, file)
}
