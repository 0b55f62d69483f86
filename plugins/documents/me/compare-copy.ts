import type { EventName } from "../../../core/plugin.ts"
import { html } from "../../design/design.ts"
import { type Part, renderParts, type Section } from "./page.ts"

const columns = ["Bucket", "Here", "Yours", "Missing", "Not as here", "Too many", "Later"]

/** Lets the caller compare a copy with the digests of the service, in their browser. */
export function compareCopy(parts: readonly Part[]): Section {
  return {
    kind: "section",
    order: 60,
    id: "copy",
    title: "Is my copy complete?",
    async render(visit) {
      const { catalogue: { routes, families, eventsOf } } = visit
      const digests = routes.filter((route) =>
        route.kind === "listing" && route.path.endsWith("/digest") && route.method === "GET"
      ).toSorted((a, b) => families.indexOf(a.prefix) - families.indexOf(b.prefix))
      if (digests.length === 0) return undefined
      const events = new Map<string, EventName>(
        digests.flatMap((route) => eventsOf(route).map((event) => [event.id, event])),
      )
      return html`
        <p>Choose a file that you made from your copy. Your browser compares it with the service: nothing of it is
        uploaded. If something differs, the browser reads the records of the buckets that do, as your account.</p>
        <form class="fields narrow" id="copy-form">
          <label for="copy-list">List</label>
          <select id="copy-list" name="list">${digests.map(({ pattern: { text } }) => {
            const list = text.replace(/\/digest$/, "")
            return html`<option value="${list}">${list.replace("/events/:eventId/", " ")}</option>`
          })}</select>
          <label for="copy-event">Event id</label>
          <input id="copy-event" name="event" list="copy-events" required autocapitalize="none"
            autocomplete="off" value="${[...events.keys()][0] ?? ""}">
          <datalist id="copy-events">${[...events.values()].map(({ id, name }) =>
            html`<option value="${id}" label="${name}">`
          )}</datalist>
          <label for="copy-files">Files</label>
          <input id="copy-files" name="files" type="file" multiple required aria-describedby="copy-hint">
          <p class="hint" id="copy-hint">NDJSON, CSV or JSON as the service sends them, or lines
          <code>id updated</code>. Of items, a bundle, or a file per category, such as
          <code>tickets.ndjson</code>.</p>
          <p><label><input type="checkbox" name="acknowledge" value="yes">
          If it is the same, tell the operator so. Its records have the fields of today.</label></p>
          <button class="main">Compare</button>
        </form>
        <noscript><p class="message">This needs JavaScript. <code>node pull.mjs --check</code> compares
        without a browser.</p></noscript>
        <div id="copy-result" role="status"></div>
        <template id="copy-buckets">
          <details>
            <summary>Buckets that differ</summary>
            <div class="table cards" tabindex="0" role="group" aria-label="Buckets that differ">
              <table>
                <thead>
                  <tr>${columns.map((name, at) =>
                    at === 0
                      ? html`<th scope="col">${name}</th>`
                      : html`<th scope="col" class="number">${name}</th>`
                  )}</tr>
                </thead>
                <tbody></tbody>
              </table>
            </div>
          </details>
        </template>
        ${await renderParts(visit, parts, "copy")}
      `
    },
  }
}
