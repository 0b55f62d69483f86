import { findAccount } from "../../../core/accounts.ts"
import type { MountedRoute } from "../../../core/plugin.ts"
import type { ConfigPath, PluginSetup } from "../../../core/inspection.ts"
import {
  command,
  foldedSection,
  type Html,
  html,
  quoted,
  state,
  table,
} from "../../design/design.ts"
import { type Addition, queryOf, reasonOf, type Visit } from "../../service/console/page.ts"
import { type AccessExplanation, explainAccess, findLastAddress } from "./explain-access.ts"
import { fromOf, groupRoutes, labelOf } from "./group-routes.ts"
import { findSettingOf } from "./setting-of-route.ts"

/** The section on a partner's page that explains what it would get. */
export const sections: readonly Addition[] = [
  { kind: "section", place: "partner", order: 40, render: showExplanation },
]

/** Shows a form for choosing an event, and what a partner would get from its routes. */
async function showExplanation(visit: Visit, username: string): Promise<Html> {
  const [eventId, address] = [queryOf(visit, "event").toLowerCase(), queryOf(visit, "from")]
  const { readable } = visit.internals
  const { id } = await findAccount(readable.writer, username)
  const last = await findLastAddress(readable, id)
  const answer = eventId === "" ? undefined : await explain(visit, { username, eventId, address })
  const fromLabel = last === undefined
    ? "From the address, if it matters"
    : "From its last address, or another"
  return foldedSection("explain", "What would it get?", {
    about: "from an event, and why",
    isOpen: eventId !== "",
    isLive: false,
    content: html`
      <form class="fields" method="get" action="#explain">
        <div class="columns">
          <div><label for="event">Event id</label>
          <input id="event" name="event" list="events" required value="${eventId}" autocomplete="off"
            autocapitalize="none"></div>
          <div><label for="from">${fromLabel}</label>
          <input id="from" name="from" value="${address || last}" autocapitalize="none"></div>
        </div>
        <button>Explain</button>
      </form>
      ${await visit.site.sections("choices", visit, username)}
      ${answer}
      ${eventId !== "" && command(
        `access explain ${quoted(username)} ${quoted(eventId)}${
          address && ` --from ${quoted(address)}`
        }`,
      )}
    `,
  })
}

async function explain(
  visit: Visit,
  { username, eventId, address }: {
    readonly username: string
    readonly eventId: string
    readonly address: string
  },
): Promise<Html> {
  try {
    const question = { username, eventId, ...address === "" ? {} : { address } }
    const { readable, plan: { routes, plugins, session: { idle } } } = visit.internals
    return answerTable(await explainAccess(readable, routes, { ...question, idle }), plugins)
  } catch (error) {
    return html`<p class="message bad" role="alert">${reasonOf(error)}</p>`
  }
}

function answerTable(
  { event, from, routes }: AccessExplanation,
  plugins: readonly PluginSetup[],
): Html {
  const placeOf = (route: MountedRoute) => nameOf(findSettingOf(route, plugins) ?? [])
  return html`
    <p>${fromOf(from)}</p>
    ${table(
      event ? `${event.name} of ${event.organization}` : "There is no such event",
      ["Family", "Routes", "Status", "Decided by", "Why"],
      groupRoutes(routes, placeOf).map((group) => {
        const { route, prefix, status, code, decider, reason, loggedIn } = group
        return [
          html`<code>${prefix}</code>`,
          labelOf(group),
          html`${state(status < 400 ? "good" : "bad", `${status} ${code ?? ""}`)}${
            loggedIn !== status && html`
              <span class="quiet">with a session ${loggedIn}</span>
            `
          }`,
          decider === "configuration" ? html`<code>${placeOf(route)}</code>` : decider,
          html`<span class="why">${reason}</span>`,
        ]
      }),
    )}
  `
}

/** Formats the path of a setting, such as `plugins[3].with`. */
function nameOf(path: ConfigPath): string {
  return path.reduce<string>(
    (name, step) => typeof step === "number" ? `${name}[${step}]` : name ? `${name}.${step}` : step,
    "",
  )
}
