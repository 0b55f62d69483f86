import type { Visit } from "../addition.ts"
import { type Content, type Html, html } from "../../../design/design.ts"
import { number, state, table, time } from "../../../design/design.ts"
import { respond, sessionOf } from "../reader.ts"

/** Shows the configuration in force. */
export async function showConfiguration(visit: Visit): Promise<Response> {
  return respond(visit, {
    title: "Configuration",
    current: "/console/configuration",
    main: html`
      ${await inForce(visit)}
    `,
  })
}

async function inForce(visit: Visit): Promise<Html> {
  const { now } = sessionOf(visit)
  const { config, since, plugins, routes, fixedSettings, lastReload } = visit.host.status()
  const refused = lastReload?.result === "refused" ? lastReload : undefined
  return html`<section aria-labelledby="running">
<h2 id="running">In force</h2>
${
    refused && html`
      <div class="message bad">
        <p>${state("bad", "The last reload was refused")}, ${time(refused.at, now)}, after ${refused
          .trigger}. The old configuration stays in force.</p>
        <pre tabindex="0">${refused.reason}</pre>
      </div>
    `
  }
<p><code>${config.file}</code>, hash <code>${config.hash}</code>, since ${time(since, now)}.</p>
${await visit.site.sections("service", visit, undefined)}
${
    table(
      "Plugins",
      ["Plugin", "What it is for", { name: "Routes", isNumber: true }, "Paths"],
      plugins.map(({ name, summary, routes: count, prefixes }) => [
        name,
        summary,
        number(count),
        paths(prefixes),
      ]),
    )
  }
<details>
<summary>All ${routes.length} routes</summary>
${
    table(
      "Routes",
      ["Route", "Plugin", "For"],
      routes.map(({ method, path, plugin, policy }) => [
        html`<code>${method} ${path}</code>`,
        plugin,
        policy,
      ]),
    )
  }
</details>
<details>
<summary>Settings that change only with a restart</summary>
${
    table(
      "Fixed settings",
      ["Setting", "Value"],
      Object.entries(fixedSettings).map(([name, value]) => [
        html`<code>${name}</code>`,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    )
  }
</details>
</section>`
}

function paths(prefixes: readonly string[]): Content {
  const shown = prefixes.slice(0, 4).map((path) =>
    html`
      <code>${path}</code>
    `
  )
  return prefixes.length > 4 ? [...shown, `and ${prefixes.length - 4} more`] : shown
}
