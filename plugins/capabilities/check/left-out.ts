import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type Observer,
} from "../../../core/capability.ts"
import { type Content, html, state, table } from "../../design/design.ts"
import type { Addition, Visit } from "../../service/console/page.ts"

/** Lists that are counted. */
const most = 1000

/** How often records were left out since the start of the process, by the event's id and the list. */
type Counts = Map<string, number>

/** By database: pages of the console know it, but not the configuration that started the count. */
const countsOf = new WeakMap<Database, Counts>()

/** Upper bound for the warnings that are remembered. */
const mostWarned = 10_000

/**
 * Returns what counts the records that responses leave out, and warns of them: once of each record with a wrong column, and
 * of ids once of each list.
 */
export function observeLeftOut(
  { database, log }: Pick<CapabilityHost, "database" | "log">,
): Observer {
  const counts: Counts = countsOf.get(database) ?? new Map()
  countsOf.set(database, counts)
  const warned = boundedCache<true>({ most: mostWarned })
  return ({ asked: { match, input }, sent: { page } }) => {
    if (!page || page.leftOut.length === 0) return
    const [event, list] = [input?.eventId?.value, page.list.name]
    const key = `${event ?? ""} ${list}`
    const former = counts.get(key)
    if (former !== undefined || counts.size < most) {
      counts.set(key, (former ?? 0) + page.leftOut.length)
    }
    for (const { id, column } of page.leftOut) {
      const about = `${key} ${id} ${column}`
      if (warned.has(about)) continue
      warned.set(about, true)
      const message = id === undefined
        ? "records are left out: their ids are not UUIDs"
        : "a record is left out: a column holds what its field cannot be"
      log.warn({ event, list, route: match?.route.pattern.text, id, column }, message)
    }
  }
}

/** Shows which lists lack records, on the overview. */
export const leftOutSection: Addition = {
  kind: "section",
  place: "overview",
  order: 50,
  render: showLeftOut,
}

function showLeftOut({ site: { link }, internals: { database } }: Visit): Content {
  const rows = [...countsOf.get(database) ?? []].map(([key, times]) => {
    const [event = "", ...list] = key.split(" ")
    return [event === "" ? "–" : link.event(event, event), list.join(" "), times]
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
