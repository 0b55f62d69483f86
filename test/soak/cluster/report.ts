import { textTable } from "../../../core/cli/context.ts"
import type { Half } from "./half.ts"

/** Describes what happened on a topology, for people. */
export function describeHalf(result: Half): string {
  const { topology, observations, crowd, readers, tally, comparison, told, audit } = result
  const { violations } = observations
  const outcomes = [...observations.outcomes()].map(([name, count]) => `${count} × ${name}`)
  return [
    textTable(tally.rows(topology.name)),
    "",
    faultTable(result),
    "",
    `responses: ${outcomes.join(", ")}; ${result.failovers} times another primary, ` +
    `${result.losses} times with lost commits`,
    `${crowd.commits} transactions committed; ${crowd.polls} polls, ${crowd.resyncs} times ` +
    `everything had to be read again; ${readers.exports} exports, ${readers.woken} requests woken`,
    ...comparison
      ? [
        `${result.comparisons} times all copies were compared, ${comparison.compared} records at the end`,
      ]
      : [],
    ...result.losses > 0
      ? [`lost commits: ${told.told} copies told by digest, ${told.beyond} beyond what it covers`]
      : [],
    ...audit
      ? [
        `${audit.reads} reads, ${audit.missing} not in the audit log: ` +
        `${audit.diedWithProcess} died with their process, ${audit.dropped} reported as lost`,
      ]
      : [],
    `control: a reader by the clocks of the servers lost ${result.lostByControl} records`,
    ...result.messages,
    ...violations.map((violation) => `broken: ${violation}`),
  ].join("\n")
}

/** A row per fault: how often, the responses, what was refused, the slowest poll, and how long services were not ready. */
function faultTable({ faults, observations, readiness, judge }: Half): string {
  const names = ["none", "comparison", ...faults.keys()]
  const rows = names.map((name) => {
    const outcomes = observations.outcomes(name)
    const responses = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
    const refused = judge.refused.get(name) ?? 0
    const { ms, path } = observations.slowest(name)
    return [
      name,
      String(faults.get(name) ?? ""),
      ...[responses, refused, (outcomes.get("503") ?? 0) - refused].map(String),
      `${seconds(ms)} ${path}`,
      seconds(readiness.unready(name)),
    ]
  })
  const columns = ["TIMES", "RESPONSES", "POLLS 503", "OTHERS 503", "SLOWEST POLL", "NOT READY"]
  return textTable([["FAULT", ...columns], ...rows])
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
