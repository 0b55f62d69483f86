import { textTable } from "../../../core/cli/context.ts"
import type { PlayResult } from "./play.ts"

/** Describes what a run did and found, for people. */
export function describeResult(result: PlayResult): string {
  const { stage: { observations, services }, crowd, comparison, audit } = result
  const { violations } = observations
  return [
    outcomeTable(result),
    "",
    `${crowd.commits} transactions committed; ${crowd.polls} polls, ${crowd.resyncs} times ` +
    `everything had to be read again; ${crowd.described}`,
    ...comparison
      ? [
        `${comparison.compared} records of copies compared with the tables`,
        `control: partners by the largest updated lost ${comparison.lostByControl} records`,
      ]
      : ["the copies were not compared"],
    `${observations.bounds.length} times Next-Since, compared with ${observations.openChanges.length} open transactions`,
    ...audit
      ? [
        `audit log: ${audit.reads} reads, ${audit.missing} of them missing; ` +
        `${audit.diedWithProcess} died with a killed process, ${audit.dropped} were reported as lost`,
      ]
      : [],
    ...services.flatMap(({ name, log }) =>
      [...log.messages].map(([message, count]) => `${name}: ${count} × ${message}`)
    ),
    ...violations.map((violation) => `broken: ${violation}`),
  ].join("\n")
}

/** A row per fault: how often, the slowest recovery, and the outcomes of requests. */
function outcomeTable({ injected, stage: { observations } }: PlayResult): string {
  const all = observations.outcomes()
  const outcomes = [...all.keys()].sort()
  const rows = [...Map.groupBy(injected, ({ name }) => name)].map(([name, times]) => {
    const slowest = Math.max(...times.flatMap(({ recovery }) => recovery))
    const counts = observations.outcomes(name)
    const cells = outcomes.map((outcome) => String(counts.get(outcome) ?? ""))
    return [name, String(times.length), `${(slowest / 1000).toFixed(1)} s`, ...cells]
  })
  return textTable([
    ["FAULT", "TIMES", "RECOVERED", ...outcomes.map((outcome) => outcome.toUpperCase())],
    ...rows,
    ["all", String(injected.length), "", ...outcomes.map((outcome) => String(all.get(outcome)))],
  ])
}
