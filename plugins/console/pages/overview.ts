import { html } from "../html.ts"
import { time } from "../parts.ts"
import { respond, sessionOf, type Visit } from "../reader.ts"

/** Shows the state of the whole service. */
export async function showOverview(visit: Visit): Promise<Response> {
  const { now } = sessionOf(visit)
  const { config, since, database } = visit.host.status()
  return respond(visit, {
    title: "Overview",
    entry: "/console",
    main: html`<p>${config.file} <code>${config.hash}</code>, in force since ${
      time(since, now)
    }; ${database}</p>`,
  })
}
