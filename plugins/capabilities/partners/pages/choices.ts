import { type Content, type Html, html } from "../../../design/design.ts"
import type { Visit } from "../../../service/console/page.ts"
import { type Choice, listChoices } from "../list-choices.ts"

/** Shows suggestions for fields. Any other value can be typed. */
export async function showChoices(visit: Visit, username: string | undefined): Promise<Html> {
  const { events, organizations } = await listChoices(visit.internals.readable, username)
  return html`
    <datalist id="events">${events.map(option)}</datalist>
    ${organizations.length > 0 && html`
      <datalist id="organizations">${organizations.map(option)}</datalist>
    `}
  `
}

function option({ value, label }: Choice): Content {
  return html`<option value="${value}" label="${label}">`
}
