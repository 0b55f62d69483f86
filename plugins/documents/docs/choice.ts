import { escapeHtml } from "../../../core/plugin.ts"
import { pathOf, type Reader } from "./reader.ts"

const toLogIn =
  `<p class="choice"><a href="/docs/reference#log-in">Log in</a> to see your own values here and in the
downloads, or replace <code>/your-family/v1</code>, <code>your-event-id</code> and <code>your-name</code>.</p>`

/** Returns what the examples name, as HTML: with a choice if there are several events or families. */
export function choiceHtml({ username, example, choices }: Reader): string {
  if (username === undefined) return toLogIn
  const name = `<strong>${escapeHtml(username)}</strong>`
  if (!example) {
    return `<p class="choice">You are logged in as ${name}, which may read no event yet: ask the operator
for access. Until then, the examples have placeholders.</p>`
  }
  if (choices.length === 1) {
    return `<p class="choice">The examples name your account ${name}, your family
<code>${escapeHtml(example.family)}</code>${
      example.event ? ` and the event “${escapeHtml(example.event.name)}”` : ""
    }.</p>`
  }
  const groups = [...Map.groupBy(choices, ({ family }) => family)].map(([family, examples]) => {
    const options = examples.map((choice) =>
      `<option value="${escapeHtml(pathOf(choice))}"${choice === example ? " selected" : ""}>${
        escapeHtml(`${family} – ${choice.event?.name ?? "no event yet"}`)
      }</option>`
    )
    return `<optgroup label="${escapeHtml(family)}">\n${options.join("\n")}\n</optgroup>`
  })
  return `<form class="choice" method="get" action="/docs">
<label for="event">The examples name your account ${name}, and the family and event</label>
<select id="event" name="event">
${groups.join("\n")}
</select>
<button type="submit">Change</button>
</form>`
}
