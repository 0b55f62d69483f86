import { type Html, html, state as stateMark, table, time } from "../../design/design.ts"
import { type Addition, respond, sessionOf, type Visit } from "../../service/console/page.ts"
import { listRefused, readState } from "./state.ts"
import { describeReason, type Reason } from "./values.ts"

/** What the console shows of the source that records come from. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "/source",
    entry: { name: "Source", order: 45 },
    show: showSource,
  },
  { kind: "section", place: "trouble", order: 20, render: showTrouble },
]

async function showTrouble(visit: Visit): Promise<Html> {
  const found = await readState(visit.inside.readable)
  const { now } = sessionOf(visit)
  return html`
    ${found && found.failed_at !== null &&
      html`<p class="message bad">${stateMark("bad", "Records are not taken over")} since ${
        time(found.failed_at, now)
      }: <a href="/console/source">why</a></p>`}
    ${found && found.held.length > 0 && html`
      <p
        class="message warn">${stateMark(
          "warn",
          "Deletions wait for you",
        )}: too much is gone from the source at once. <a href="/console/source">What</a></p>
    `}
  `
}

async function showSource(visit: Visit): Promise<Response> {
  const { readable } = visit.inside
  const found = await readState(readable)
  const refused = await listRefused(readable, "database")
  const { now } = sessionOf(visit)
  return respond(visit, {
    title: "Source",
    current: "/console/source",
    main: html`
      ${found
        ? html`
          <dl class="facts">
            <dt>Compared as a whole</dt>
            <dd>${found.compared_at === null
              ? "not yet"
              : time(found.compared_at, now)}, in ${(found.milliseconds / 1000).toFixed(1)} s</dd>
            <dt>Rows</dt>
            <dd>${found.rows}: ${found.changed} written, ${found.removed} deleted, ${found
              .refused} refused</dd>
          </dl>
          ${found.failed_at !== null &&
            html`<p class="message bad">${stateMark("bad", "It fails")} since ${
              time(found.failed_at, now)
            }: <span class="why">${found.failure}</span></p>`}
          ${found.held.length > 0 && html`
            ${table(
              "Deletions that wait",
              ["Event", "Kind", "Gone", "Of"],
              found.held.map((
                { event, kind, gone, known },
              ) => [html`<code>${event}</code>`, kind, gone, known]),
              "",
            )}
            <p>If they are meant: <code>event-export connect run --accept-deletions ${found.held[0]
              ?.event}</code></p>
          `}
        `
        : html`<p>Nothing has been taken over yet.</p>`}
      ${table(
        "Rows that could not be taken over",
        ["Kind", "Key", "Problem", "Partners have"],
        refused.map(({ kind, source_key, reason, column_name, has_copy }) => [
          kind,
          html`<code>${source_key}</code>`,
          describeReason(reason as Reason, column_name),
          has_copy ? "a copy from before" : "nothing",
        ]),
        "There are none.",
      )}
    `,
  })
}
