import type { Operations } from "../../../core/plugin.ts"
import { type Content, type Html, html } from "../html.ts"
import { state, table, time } from "../parts.ts"

type Instance = Awaited<ReturnType<Operations["instances"]>>[number]

/** Shows the processes that serve, and warns if they have different configurations. */
export function instanceTable(instances: readonly Instance[], now: number): Html {
  const serving = instances.filter(({ isGone }) => !isGone)
  const hashes = new Set(serving.map(({ config }) => config.hash))
  return html`
    ${hashes.size > 1 &&
      html`<p class="message warn">${
        state("warn", "Instances have different configurations")
      }: reload those that have the older one.</p>`}
    ${table(
      "Instances",
      [
        "Host",
        "State",
        "Address",
        "Runtime",
        "Started",
        "Configuration, in force since",
        "Last reload",
      ],
      instances.map((instance) => cellsOf(instance, now)),
      "None has reported yet.",
    )}
  `
}

function cellsOf(instance: Instance, now: number): Content[] {
  const { host, pid, url, version, isGone, isReady, started, seen, config, lastReload } = instance
  return [
    html`${host} <span class="quiet">pid ${pid}</span>`,
    isGone
      ? html`${state("bad", "gone")} ${time(seen, now)}`
      : isReady
      ? state("good", "ready")
      : state("bad", "not ready"),
    url === null ? "" : html`<code>${url}</code>`,
    version,
    time(started, now),
    html`<code>${config.hash}</code> ${time(config.since, now)}`,
    reloadCell(lastReload, now),
  ]
}

function reloadCell(reload: Instance["lastReload"], now: number): Content {
  if (reload === null) return html`<span class="quiet">none</span>`
  if (reload.result !== "refused") {
    return html`${state("good", reload.result)} ${time(reload.at, now)}`
  }
  return html`${state("bad", "refused")} ${
    time(reload.at, now)
  }: <span class="why">${reload.reason}</span>`
}
