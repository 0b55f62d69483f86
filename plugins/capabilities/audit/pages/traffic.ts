import { type Html, html, plot } from "../../../design/design.ts"
import type { Visit } from "../../../service/console/page.ts"
import { loadTraffic } from "../traffic.ts"

/** Minutes that the plots show. */
const shownMinutes = 60

/** Shows the requests and changes of the last hour. */
export async function showTraffic(visit: Visit): Promise<Html> {
  const traffic = await loadTraffic(visit.internals.readable, shownMinutes)
  return html`
    <section id="traffic" data-live aria-labelledby="traffic-title">
      <h2 id="traffic-title">The last hour</h2>
      <div class="plots">
        ${plot(
          "Requests per minute",
          ["Requests", "Errors"],
          traffic.map(({ minute, requests, errors }) => [minute, requests, errors]),
        )}
        ${plot(
          "Changes per minute",
          ["Changes"],
          traffic.map(({ minute, changes }) => [minute, changes]),
        )}
      </div>
    </section>
  `
}
