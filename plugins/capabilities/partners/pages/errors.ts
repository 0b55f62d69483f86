import { type Html, html, sessionOf, table, type Visit } from "../../../service/console/page.ts"
import { knowsErrors, listErrors } from "../list-errors.ts"
import { errorState, occurrenceCells, occurrenceColumns } from "./occurrences.ts"

const aDay = 86_400

/** Shows the errors of the last day, if an audit log has them. */
export async function showErrors(visit: Visit): Promise<Html | undefined> {
  const { inside: { readable }, site: { link } } = visit
  if (!knowsErrors(readable)) return undefined
  const { now } = sessionOf(visit)
  const errors = await listErrors(readable, { since: now - aDay })
  return html`
    <section id="errors" data-live aria-labelledby="errors-title">
      <h2 id="errors-title">Errors of the last day</h2>
      ${table(
        "By code, partner and endpoint, the latest first",
        [
          "Error",
          "Partner",
          "Endpoint",
          ...occurrenceColumns,
        ],
        errors.slice(0, 50).map((error) => [
          errorState(error),
          error.account === null
            ? html`<span class="quiet">nobody</span>`
            : link.partner(error.account),
          error.route === null ? "" : html`<code>${error.route}</code>`,
          ...occurrenceCells(error, { link, now }),
        ]),
        "There were none.",
      )}
    </section>
  `
}
