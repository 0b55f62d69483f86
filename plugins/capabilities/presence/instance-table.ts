import { type Content, type Html, html, state, table, time } from "../../design/design.ts"
import { type Addition, sessionOf, type Visit } from "../../service/console/page.ts"
import { type InstanceHealth, listInstances } from "./instances.ts"

/** The section with the serving processes, after the facts about the service. */
export const sections: readonly Addition[] = [
  { kind: "section", place: "service", order: 10, render: showInstances },
  { kind: "section", place: "trouble", order: 10, render: showTrouble },
]

/** Warns about processes that are not ready, or that have different configurations. */
async function showTrouble(visit: Visit): Promise<Html> {
  const serving = (await listInstances(visit.internals.readable)).filter(({ isGone }) => !isGone)
  const hashes = new Set(serving.map(({ config_hash }) => config_hash))
  return html`
    ${hashes.size > 1 &&
      html`<p class="message warn">${
        state("warn", "Instances have different configurations")
      }: reload those that have the older one.</p>`}
    ${serving.filter(({ ready }) => !ready).map(({ host, pid }) =>
      html`<p class="message bad">${state("bad", `${host} (pid ${pid}) is not ready`)}</p>`
    )}
  `
}

/** Shows the serving processes. */
async function showInstances(visit: Visit): Promise<Html> {
  const instances = await listInstances(visit.internals.readable)
  const { now } = sessionOf(visit)
  return table(
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
  )
}

function cellsOf(instance: InstanceHealth, now: number): Content[] {
  const { host, pid, url, version, isGone, ready, started, seen } = instance
  return [
    html`${host} <span class="quiet">pid ${pid}</span>`,
    isGone
      ? html`${state("bad", "gone")} ${time(seen, now)}`
      : ready
      ? state("good", "ready")
      : state("bad", "not ready"),
    url === null ? "" : html`<code>${url}</code>`,
    version,
    time(started, now),
    html`<code>${instance.config_hash}</code> ${time(instance.config_since, now)}`,
    reloadCell(instance, now),
  ]
}

function reloadCell(
  { reload_at, reload_result, reload_reason }: InstanceHealth,
  now: number,
): Content {
  if (reload_at === null || reload_result === null) return html`<span class="quiet">none</span>`
  if (reload_result !== "refused") {
    return html`${state("good", reload_result)} ${time(reload_at, now)}`
  }
  return html`${state("bad", "refused")} ${
    time(reload_at, now)
  }: <span class="why">${reload_reason}</span>`
}
