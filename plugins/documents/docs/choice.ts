import { type Html, html } from "../../design/design.ts"
import { type DocsReader, pathOf } from "./reader.ts"

/** Shows which event the examples use, with a choice if there are several events or families. */
export function choiceHtml({ username, example, choices }: DocsReader): Html {
  if (username === undefined) {
    return html`<p class="choice"><a href="/docs/log-in">Log in</a> to see your own values here, or replace
<code>/your-family/v1</code>, <code>your-event-id</code> and <code>your-name</code>.</p>`
  }
  const name = html`<strong>${username}</strong>`
  if (!example) {
    return html`
      <p
        class="choice">You are logged in as ${name}, but may not read any event yet: ask the operator for
      access. Until then, the examples have placeholders.</p>
    `
  }
  if (choices.length === 1) {
    return html`<p class="choice">The examples name your account ${name}, your family
<code>${example.family}</code>${
      example.event && html`
        and the event “${example.event.name}”
      `
    }.</p>`
  }
  const groups = [...Map.groupBy(choices, ({ family }) => family)].map(([family, examples]) => {
    const options = examples.map((choice) =>
      html`
        <option value="${pathOf(choice)}" ${choice === example && html`
          selected
        `}>${family} – ${choice.event?.name ?? "no event yet"}</option>
      `
    )
    return html`<optgroup label="${family}">\n${options}</optgroup>\n`
  })
  return html`
    <form class="choice" method="get" action="/docs">
      <label for="event">The examples name your account ${name}, and the family and event</label>
      <select id="event" name="event">
    ${groups}</select>
      <button type="submit">Change</button>
    </form>
  `
}

/** The button that puts a token into the examples, by `docs.js`. */
export const tokenButton: Html = html`<p class="choice" id="own-token" hidden>
<button type="button">Put a token into the examples</button>
<span role="status">Then you can run them without logging in. The token is yours, and lasts an hour.</span></p>`
