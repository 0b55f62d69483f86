import { type Operations, Problem } from "../../../core/plugin.ts"
import { type Html, html } from "../html.ts"
import { command, quoted, state, table } from "../parts.ts"
import { queryOf, type Visit } from "../reader.ts"

type Explained = Awaited<ReturnType<Operations["explain"]>>

/** Shows what a partner would get from the routes of an event, and a form to ask that. */
export async function explanation(visit: Visit, username: string): Promise<Html> {
  const [eventId, address] = [queryOf(visit, "event").toLowerCase(), queryOf(visit, "from")]
  const answer = eventId === "" ? undefined : await explain(visit, { username, eventId, address })
  return html`
    <section aria-labelledby="explain-title">
      <h2 id="explain-title">What would it get?</h2>
      <form class="fields" method="get" action="#explain-title">
        <div class="columns">
          <div><label for="event">Event id</label>
          <input id="event" name="event" required value="${eventId}" autocapitalize="none"></div>
          <div><label for="from">From the address, if it matters</label>
          <input id="from" name="from" value="${address}" autocapitalize="none"></div>
        </div>
        <button>Explain</button>
      </form>
      ${answer}
      ${eventId !== "" && command(
        `access explain ${quoted(username)} ${quoted(eventId)}${
          address && ` --from ${quoted(address)}`
        }`,
      )}
    </section>
  `
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
    return answerTable(await visit.host.operations.explain(question))
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return html`<p class="message bad" role="alert">${error.message}</p>`
  }
}

function answerTable({ event, routes }: Explained): Html {
  return table(
    event ? `${event.name} of ${event.organization}` : "There is no such event",
    ["Path", "Status", "Decided by", "Why"],
    routes.map(({ path, status, code, decider, reason, loggedIn, setting }) => [
      html`<code>${path}</code>`,
      html`${state(status < 400 ? "good" : "bad", `${status} ${code ?? ""}`)}${
        loggedIn !== status && html`
          <span class="quiet">with a session ${loggedIn}</span>
        `
      }`,
      decider === "configuration" ? html`<code>${setting}</code>` : decider,
      html`<span class="why">${reason}</span>`,
    ]),
  )
}
