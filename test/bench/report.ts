import { textTable } from "../../core/cli/context.ts"
import type { Feat } from "./feats.ts"
import { processCounts, type ProcessRates } from "./processes.ts"
import type { CaseResult, Measurement, Rival, Side } from "./rounds.ts"
import { median, type Spread, spread } from "./statistics.ts"
import type { Visibility } from "./visibility.ts"

/** The ratio of our rate to a rival's over all rounds, and its target. */
export interface Ratio extends Spread {
  readonly target: number | null
  readonly met: boolean | null
}

/** The result of a case. */
export interface CaseReport extends Omit<CaseResult, "targets"> {
  readonly over: Readonly<Partial<Record<Rival, Ratio>>>
}

/** The result of a feat. */
export interface FeatReport extends Spread, Pick<Feat, "name" | "summary" | "unit" | "target"> {
  readonly runs: readonly number[]
  readonly met: boolean
}

/** Compares the servers of a case. */
export function reportCase({ targets, ...result }: CaseResult): CaseReport {
  const { ours = [], ...rivals } = result.rounds
  const over = Object.entries(rivals).map(([rival, theirs]) => {
    const ratios = ours.map(({ rate }, round) => rate / (theirs[round]?.rate ?? NaN))
    const target = targets?.[rival as keyof typeof targets] ?? null
    const met = target === null ? null : median(ratios) >= target
    return [rival, { ...spread(ratios), target, met }] as const
  })
  return { ...result, over: Object.fromEntries(over) }
}

/** Compares the runs of a feat with its target. */
export function reportFeat(
  { name, summary, unit, target }: Feat,
  runs: readonly number[],
): FeatReport {
  return { name, summary, unit, target, runs, met: median(runs) < target, ...spread(runs) }
}

/** Returns the table of ratios; with `cpu`, includes processor time. */
export function ratioTable(reports: readonly CaseReport[], cpu: boolean): string {
  const [first] = reports
  const sides = Object.keys(first?.rounds ?? {}).sort(oursFirst) as Side[]
  const rivals = sides.filter((side) => side !== "ours")
  const head = [
    "CASE",
    ...sides.map((side) => `${side.toUpperCase()}/S`),
    ...rivals.flatMap((rival) => [`OVER ${rival.toUpperCase()}`, ""]),
    ...cpu ? sides.map((side) => `${side.toUpperCase()} MS`) : [],
  ]
  const rows = reports.map(({ name, unit, rounds, over }) => [
    unit === "records" ? `${name}, records` : name,
    ...sides.map((side) => number(median((rounds[side] ?? []).map(({ rate }) => rate)))),
    ...rivals.flatMap((rival) => {
      const ratio = over[rival]
      return ratio ? [withSpread(ratio), verdict(ratio)] : ["", ""]
    }),
    ...cpu ? sides.map((side) => processorTime(rounds[side] ?? [])) : [],
  ])
  return textTable([head, ...rows])
}

/** Returns the table of delays, with the least and the greatest median and percentile of a round. */
export function visibilityTable(visibility: Visibility): string {
  const rows = Object.entries(visibility).sort(([a], [b]) => oursFirst(a, b)).map(
    ([side, { all, rounds }]) => {
      const cell = (which: "median" | "p99") => {
        const over = spread(rounds.map((delays) => delays[which]))
        return withSpread({ ...over, median: all[which] })
      }
      return [side, cell("median"), cell("p99"), String(all.count)]
    },
  )
  return textTable([["COMMIT TO VISIBLE", "MEDIAN MS", "P99 MS", "CHANGES"], ...rows])
}

/** Returns the table of feats. */
export function featTable(reports: readonly FeatReport[]): string {
  const rows = reports.map((report) => [
    report.summary,
    `${withSpread(report)} ${report.unit}`,
    `${report.met ? "met" : "MISSED"} (${number(report.target)})`,
  ])
  return textTable([["FEAT", "", ""], ...rows])
}

/** Returns the table of processes that share a port. */
export function processTable(rates: ProcessRates): string {
  const rows = processCounts.map((count) => {
    const over = rates[count].map((rate, round) => rate / (rates[1][round] ?? NaN))
    return [String(count), withSpread(spread(rates[count])), withSpread(spread(over))]
  })
  return textTable([["PROCESSES", "POLLS/S", "OVER ONE"], ...rows])
}

function oursFirst(a: string, b: string): number {
  const order = ["ours", "peer", "floor", "former"]
  return order.indexOf(a) - order.indexOf(b)
}

function verdict({ target, met }: Ratio): string {
  return target === null ? "" : `${met ? "met" : "MISSED"} (${target})`
}

function withSpread({ median, least, most }: Spread): string {
  return least === most ? number(median) : `${number(median)} [${number(least)}, ${number(most)}]`
}

/** Returns the milliseconds per response, of the server and of MySQL. */
function processorTime(rounds: readonly Measurement[]): string {
  const part = (which: keyof Measurement["processor"]) => {
    const times = rounds.flatMap(({ processor }) => processor[which] ?? [])
    return times.length > 0 ? median(times).toFixed(2) : "–"
  }
  return `${part("server")} + ${part("mysql")}`
}

function number(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString("en", {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  })
}
