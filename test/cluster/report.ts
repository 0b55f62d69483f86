import { table } from "../../core/cli/context.ts"
import type { Half } from "./half.ts"

/** Describes what happened on a topology, for people. */
export function describeHalf(result: Half): string {
  const { topology, observations, crowd, readers, tally, comparison, told, audit } = result
  const { longest, violations } = observations
  const names = new Map(topology.nodes.map(({ name }, index) => [name, `SERVER ${index + 1}`]))
  const columns = [...names.keys(), ...tally.nodes.filter((name) => !names.has(name))]
  const outcomes = [...observations.outcomes()].map(([name, count]) => `${count} × ${name}`)
  return [
    table([
      [
        topology.name.toUpperCase(),
        ...columns.map((name) => names.get(name) ?? name.toUpperCase()),
      ],
      ...tally.rows(columns),
    ]),
    "",
    `responses: ${outcomes.join(", ")}; the longest took ${Math.round(longest.ms)} ms: ` +
    `${longest.path} during ${longest.fault}`,
    `${result.faults} faults, ${result.failovers} times another primary, ` +
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
