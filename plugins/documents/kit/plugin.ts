import * as v from "valibot"
import {
  definePlugin,
  handler,
  type HandlerContext,
  Problem,
  respondFile,
  respondIfChanged,
  servedFile,
  signedIn,
  wantsPage,
} from "../../../core/plugin.ts"
import { respondPage } from "../../design/design.ts"
import { frameFor, refuse } from "../docs/pages.ts"
import { filesOf } from "./files.ts"
import { kitOf } from "./model.ts"
import { kitPage, linkedFiles } from "./page.ts"

const noSuchFile =
  "There is no such file, or no such family for this account. The files are listed at /docs/kit."

/** What is generated is for one account, and changes with its rights. */
const ofAccount = {
  "cache-control": "private, no-cache",
  vary: "Accept, Accept-Encoding, Authorization, Cookie",
}

/** Files for other tools, made of the routes that the account may use. */
export default definePlugin({
  apiVersion: 3,
  name: "kit",
  summary: "Files for other tools: Airbyte, dlt, Postman, SQL, Power BI, Google Sheets, DuckDB",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "/docs/kit",
    routes: [
      handler("GET", "", {
        auth: signedIn,
        needs: ["catalogue"],
        handle: showKit,
        refused: refuse,
      }),
      handler("GET", "/:file", {
        auth: signedIn,
        needs: ["catalogue"],
        handle: sendFile,
        describe: {
          summary: "File of the kit",
          description:
            "A file for another tool, made for the account; `/docs/kit` lists them. The query `family` chooses the " +
            "family by its prefix.",
          parameters: { file: "The name of a file." },
          answers: { 200: "text/plain", 304: null },
          headers: ["Cache-Control", "Vary", "ETag"],
          problems: { not_found: noSuchFile },
        },
      }),
    ],
  }),
})

/** Shows browsers the page, and programs the list of files. */
async function showKit({ request, session, host }: HandlerContext<"catalogue">): Promise<Response> {
  const catalogue = await host.catalogue()
  const kit = kitOf(catalogue)
  if (!wantsPage(request)) return respondIfChanged(request, { files: linkedFiles(kit) })
  return respondPage({ ...frameFor(catalogue, session), ...kitPage(kit), current: "/docs/kit" })
}

async function sendFile({ request, params, host }: HandlerContext<"catalogue">): Promise<Response> {
  const kit = kitOf(await host.catalogue())
  const prefix = new URL(request.url).searchParams.get("family") ?? kit.families[0]?.prefix
  const family = kit.families.find((family) => family.prefix === prefix)
  const file = family && filesOf(kit, family).find(({ name }) => name === params["file"])
  if (!file) throw new Problem("not_found", noSuchFile)
  return respondFile(request, await servedFile(file.text(family, kit), "text/plain"), ofAccount)
}
