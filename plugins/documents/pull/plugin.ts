import * as v from "valibot"
import {
  anyone,
  type Catalogue,
  definePlugin,
  handler,
  type HandlerContext,
} from "../../../core/plugin.ts"
import { respondFile, servedFile } from "../../design/design.ts"
import { program, programTypes } from "./program.ts"

/** A ready-made client for partners that keeps a copy of what they may read. */
export default definePlugin({
  apiVersion: 3,
  name: "pull",
  summary: "A program that keeps a copy, for partners to download",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "/docs",
    routes: [
      handler("GET", "/pull.mjs", {
        auth: anyone,
        needs: ["catalogue"],
        handle: sendProgram,
        describe: {
          summary: "Client",
          description:
            "A program that keeps a copy in SQLite, NDJSON or CSV, for Node.js, Deno and " +
            "Bun. With a session, your name and the paths of your families are filled in.",
          answers: { 200: "text/javascript", 304: null },
          headers: ["Cache-Control", "Vary", "ETag"],
        },
      }),
      handler("GET", "/pull.d.mts", {
        auth: anyone,
        handle: sendTypes,
        describe: {
          summary: "Types of the client",
          description: "For programs in TypeScript that use the client as a library.",
          answers: { 200: "text/plain", 304: null },
          headers: ["Cache-Control", "Vary", "ETag"],
        },
      }),
    ],
  }),
})

async function sendProgram(
  { request, session, host }: HandlerContext<"catalogue">,
): Promise<Response> {
  const catalogue = await host.catalogue()
  const text = await program({
    base: new URL(request.url).origin,
    user: session?.account.username ?? "",
    families: session ? familiesOf(catalogue) : [],
    cookie: catalogue.cookie,
  })
  return respondFile(request, await servedFile(text, "text/javascript"), {
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Authorization, Cookie",
  })
}

async function sendTypes({ request }: HandlerContext): Promise<Response> {
  const headers = { "cache-control": "no-cache", vary: "Accept-Encoding" }
  return respondFile(request, await servedFile(await programTypes(), "text/plain"), headers)
}

/** Returns the families with a list of events, which the program reads first. */
function familiesOf({ routes, families }: Catalogue): string[] {
  const lists = routes.filter(({ kind, path }) => kind === "listing" && path === "/events")
  return families.filter((family) => lists.some(({ prefix }) => prefix === family))
}
