import * as v from "valibot"
import {
  anyone,
  definePlugin,
  handler,
  type HandlerContext,
  type HandlerRoute,
  operatorOnly,
  Problem,
  respondFile,
  signedIn,
} from "../../core/plugin.ts"
import { findFile } from "./files.ts"
import { logIn, logOut, showLogIn } from "./log-in.ts"
import { changeAccount, showAccount } from "./pages/account.ts"
import { addAccount, showAccounts } from "./pages/accounts.ts"
import { sendAudit, showAudit } from "./pages/audit.ts"
import { checkConfiguration, longestDraft, showConfiguration } from "./pages/configuration.ts"
import { showDisclosures } from "./pages/disclosures.ts"
import { showEvent } from "./pages/event.ts"
import { showEvents } from "./pages/events.ts"
import { showOverview } from "./pages/overview.ts"
import { showPartner } from "./pages/partner.ts"
import { respondRefused } from "./refused.ts"

/** What the pages of operators need. */
type Needs = "operations" | "status"

/** Pages for operators: partners and their health, configuration, accounts, audit log, disclosures. */
export default definePlugin({
  apiVersion: 2,
  name: "console",
  summary: "Web pages for operators",
  settings: v.strictObject({}),
  mount: () => ({
    prefix: "/console",
    routes: [
      page("GET", "", showOverview),
      page("GET", "/partners/:name", showPartner),
      page("GET", "/events", showEvents),
      page("GET", "/events/:event", showEvent),
      page("GET", "/disclosures", showDisclosures),
      page("GET", "/configuration", showConfiguration),
      page("POST", "/configuration", checkConfiguration, longestDraft),
      page("GET", "/accounts", showAccounts),
      page("POST", "/accounts", addAccount),
      page("GET", "/accounts/:name", showAccount),
      page("POST", "/accounts/:name", changeAccount),
      page("GET", "/audit", showAudit),
      page("GET", "/audit.csv", sendAudit),
      handler("GET", "/log-in", { auth: anyone, handle: showLogIn, refused: respondRefused }),
      handler("POST", "/log-in", {
        auth: anyone,
        needs: ["sessions"],
        handle: logIn,
        refused: respondRefused,
      }),
      handler("POST", "/log-out", {
        auth: signedIn,
        needs: ["sessions"],
        handle: logOut,
        refused: respondRefused,
      }),
      handler("GET", "/files/:file", { auth: anyone, handle: sendFile, refused: respondRefused }),
    ],
  }),
})

/** Declares a page for operators. Browsers without a session are sent to log in. */
function page(
  method: "GET" | "POST",
  path: string,
  handle: (context: HandlerContext<Needs>) => Response | Promise<Response>,
  longestBody?: number,
): HandlerRoute {
  return handler(method, path, {
    auth: operatorOnly,
    needs: ["operations", "status"],
    handle,
    refused: respondRefused,
    ...longestBody !== undefined && { longestBody },
  })
}

async function sendFile({ request, params }: HandlerContext): Promise<Response> {
  const file = await findFile(params["file"] ?? "")
  if (!file) throw new Problem("not_found", "There is no such file.")
  return respondFile(request, file)
}
