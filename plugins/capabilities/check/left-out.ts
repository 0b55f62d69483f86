import type { Facts } from "../../../core/capability.ts"
import { type Content, html, state, table } from "../../design/design.ts"
import type { Addition, Visit } from "../../service/console/page.ts"

/** Lists that are counted. */
const most = 1000

/** How often this process has left out records, by the event's id and the list. */
const counts = new Map<string, number>()

/** Counts the records that a response leaves out. */
export function countLeftOut({ line: { event = "" }, page }: Facts): void {
  if (!page || page.leftOut === 0) return
  const key = `${event} ${page.list.name}`
  const count = counts.get(key)
  if (count !== undefined || counts.size < most) counts.set(key, (count ?? 0) + page.leftOut)
}

/** Shows which lists lack records, on the overview. */
export const leftOutSection: Addition = {
  kind: "section",
  place: "overview",
  order: 50,
  render: showLeftOut,
}

function showLeftOut({ site: { link } }: Visit): Content {
  const rows = [...counts].map(([key, count]) => {
    const [event = "", ...list] = key.split(" ")
    return [event || "–", list.join(" "), count]
  })
  return rows.length > 0 && html`
    <section id="left-out" data-live aria-labelledby="left-out-title">
      <h2 id="left-out-title">${state("bad", "Records are left out")}</h2>
      <p>Partners do not get them: ${link.handbook(
        "incidents",
        "records-left-out",
        "what to do",
      )}</p>
      ${table("Since the start of this process", ["Event", "List", {
        name: "Times that a record was left out",
        isNumber: true,
      }], rows)}
    </section>
  `
}
