import { table } from "../../core/cli/context.ts"
import type { Feat } from "./feats.ts"
import { processCounts, type ProcessRates } from "./processes.ts"
import type { CaseResult, Measured, Side } from "./rounds.ts"
import { median, type Spread, spread } from "./statistics.ts"

/** Ours over theirs, round by round, and what it is to be. */
export interface Ratio extends Spread {
  readonly target: number | null
  readonly met: boolean | null
}

/** What a case came to. */
export interface CaseReport extends Omit<CaseResult, "targets"> {
  readonly over: Readonly<Record<Exclude<Side, "ours">, Ratio>>
}

/** What a feat came to. */
export interface FeatReport extends Spread, Pick<Feat, "name" | "summary" | "unit" | "target"> {
  readonly runs: readonly number[]
  readonly met: boolean
}

/** Compares the servers of a case. */
export function reportCase({ targets, ...result }: CaseResult): CaseReport {
  const { ours, ...theirs } = result.rounds
  const over = (side: keyof typeof theirs): Ratio => {
    const ratios = ours.map(({ rate }, round) => rate / (theirs[side][round]?.rate ?? NaN))
    const target = targets?.[side] ?? null
    return { ...spread(ratios), target, met: target === null ? null : median(ratios) >= target }
  }
  return { ...result, over: { peer: over("peer"), floor: over("floor") } }
}

/** Compares the runs of a feat with its target. */
export function reportFeat(
  { name, summary, unit, target, good }: Feat,
  runs: readonly number[],
): FeatReport {
  const middle = median(runs)
  const met = good === "at least" ? middle >= target : middle < target
  return { name, summary, unit, target, runs, met, ...spread(runs) }
}

/** The table of ratios; with `cpu`, of processor time as well. */
export function ratioTable(reports: readonly CaseReport[], cpu: boolean): string {
  const head = ["CASE", "OURS/S", "PEER/S", "FLOOR/S", "OVER PEER", "", "OVER FLOOR", ""]
  const headOfCpu = ["OURS MS", "PEER MS", "FLOOR MS"]
  const rows = reports.map(({ name, rounds: { ours, peer, floor }, over }) => [
    name,
    ...[ours, peer, floor].map((side) => number(median(side.map(({ rate }) => rate)))),
    ...[over.peer, over.floor].flatMap((ratio) => [withSpread(ratio), verdict(ratio)]),
    ...(cpu ? [ours, peer, floor].map(processorTime) : []),
  ])
  return table([[...head, ...(cpu ? headOfCpu : [])], ...rows])
}

/** The table of feats. */
export function featTable(reports: readonly FeatReport[]): string {
  const rows = reports.map((report) => [
    report.summary,
    `${withSpread(report)} ${report.unit}`,
    `${report.met ? "met" : "MISSED"} (${number(report.target)})`,
  ])
  return table([["FEAT", "", ""], ...rows])
}

/** The table of processes that share a port. */
export function processTable(rates: ProcessRates): string {
  const rows = processCounts.map((count) => {
    const over = rates[count].map((rate, round) => rate / (rates[1][round] ?? NaN))
    return [String(count), withSpread(spread(rates[count])), withSpread(spread(over))]
  })
  return table([["PROCESSES", "POLLS/S", "OVER ONE"], ...rows])
}

function verdict({ target, met }: Ratio): string {
  return target === null ? "" : `${met ? "met" : "MISSED"} (${target})`
}

function withSpread({ median, least, most }: Spread): string {
  return least === most ? number(median) : `${number(median)} [${number(least)}, ${number(most)}]`
}

/** The server's and MySQL's milliseconds an answer. */
function processorTime(rounds: readonly Measured[]): string {
  const part = (which: keyof Measured["processor"]) => {
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
