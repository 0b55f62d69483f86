import type { Status } from "../../../../core/plugin.ts"
import { type Content, type Html, html } from "../html.ts"
import { duration, state, table } from "../parts.ts"

type Node = NonNullable<Status["nodes"]>[number]

/** Shows the servers of the database, as the process sees them that shows the page. */
export function nodeTable(nodes: readonly Node[]): Html {
  return table(
    "Database servers",
    ["Server", "Role", { name: "Behind by", isNumber: true }, "In its group"],
    nodes.map(cellsOf),
  )
}

function cellsOf({ name, role, problem, behind, stale, member }: Node): Content[] {
  return [
    html`<code>${name}</code>`,
    role === "away"
      ? html`${state("bad", "away")} <span class="why">${problem}</span>`
      : stale
      ? state("warn", `${role}, not read from`)
      : state("good", role),
    behind === null
      ? html`<span class="quiet">–</span>`
      : stale
      ? state("warn", duration(behind))
      : duration(behind),
    member === null ? html`<span class="quiet">–</span>` : member,
  ]
}
