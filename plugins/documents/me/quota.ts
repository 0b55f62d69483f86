import { duration, html, number, table } from "../../design/design.ts"
import type { OwnSection } from "./page.ts"

/** The most families to show: operators have all. */
const most = 10

/** Shows how much of each limit is used and left. */
export const quota: OwnSection = {
  kind: "section",
  order: 40,
  id: "quota",
  title: "Your limits",
  render({ catalogue: { routes, families, numbers: { limits } }, internals }) {
    const named = families.slice(0, most).flatMap((prefix) =>
      routes.find((route) => route.prefix === prefix) ?? []
    )
    const rows = named.map((route) => {
      const { burst, quota } = internals.left(route)
      return [
        html`<code>${route.prefix}</code>`,
        html`${number(limits.burst - burst.requests)} of ${number(limits.burst)}`,
        html`${number(limits.quota - quota.requests)} of ${number(limits.quota)}`,
        number(quota.requests),
        quota.reset === 0 ? html`<span class="quiet none">–</span>` : duration(quota.reset / 1000),
      ]
    })
    return html`
      ${table(
        "Requests used, by family",
        [
          "Family",
          { name: "This second", isNumber: true },
          { name: "This hour", isNumber: true },
          { name: "Left this hour", isNumber: true },
          "All available again in",
        ],
        rows,
        "You have no family yet. Ask the operator.",
      )}
      <p>A 304 costs a tenth of a request. You may have ${limits
        .concurrent} requests running at the same time${limits.waiting > 0 &&
        html`, and ${limits.waiting} that wait for something new`}. Limits count per process of the service: where there are several, you may have more.</p>
    `
  },
}
