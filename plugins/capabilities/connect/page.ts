import { type Html, html, state as stateMark, table, time } from "../../design/design.ts"
import { type Addition, respond, sessionOf, type Visit } from "../../service/console/page.ts"
import { copyOf, describeHeld, problemOf, summarize } from "./describe.ts"
import { readState } from "./state.ts"

/** What the console shows of the source that records come from. */
export const pages: readonly Addition[] = [
  {
    ...{ kind: "page", method: "GET", path: "/source", show: showSource },
    entry: { name: "Source", order: 45 },
  },
  { kind: "section", place: "trouble", order: 20, render: showTrouble },
]

async function showTrouble(visit: Visit): Promise<Html> {
  const { failed_at, held } = await readState(visit.internals.readable)
  const { now } = sessionOf(visit)
  return html`
    ${failed_at !== null &&
      html`<p class="message bad">${stateMark("bad", "Records are not taken over")} since ${
        time(failed_at, now)
      }: <a href="/console/source">why</a></p>`}
    ${held.length > 0 && html`
      <p
        class="message warn">${stateMark(
          "warn",
          "Deletions wait for you",
        )}: too much is gone from the source at once. <a href="/console/source">See what</a></p>
    `}
  `
}

async function showSource(visit: Visit): Promise<Response> {
  const found = await readState(visit.internals.readable)
  return respond(visit, {
    title: "Source",
    current: "/console/source",
    main: html`
      ${summarize(found).map((sentence) => html`<p>${sentence}</p>`)}
      ${found.held.length > 0 && html`<pre>${describeHeld(found.held)}</pre>`}
      ${table(
        "Rows that could not be taken over",
        ["Kind", "Key", "Problem", "Partners have"],
        found.refusals.map((row) => [
          row.kind,
          html`<code>${row.key}</code>`,
          problemOf(row),
          copyOf(row),
        ]),
        "There are none.",
      )}
    `,
  })
}
