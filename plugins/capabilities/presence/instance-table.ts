import {
  type Addition,
  type Content,
  type Html,
  html,
  sessionOf,
  state,
  table,
  time,
  type Visit,
} from "../../service/console/page.ts"
import { type InstanceHealth, listInstances } from "./instances.ts"

/** The processes that serve, after the facts about the service. */
export const sections: readonly Addition[] = [
  { kind: "section", place: "service", order: 10, render: showInstances },
]

/** Shows the processes that serve, and warns if they have different configurations. */
async function showInstances(visit: Visit): Promise<Html> {
  const instances = await listInstances(visit.inside.readable)
  const { now } = sessionOf(visit)
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

function cellsOf(instance: InstanceHealth, now: number): Content[] {
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

function reloadCell(reload: InstanceHealth["lastReload"], now: number): Content {
  if (reload === null) return html`<span class="quiet">none</span>`
  if (reload.result !== "refused") {
    return html`${state("good", reload.result)} ${time(reload.at, now)}`
  }
  return html`${state("bad", "refused")} ${
    time(reload.at, now)
  }: <span class="why">${reload.reason}</span>`
}
