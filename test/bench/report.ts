import { textTable } from "../../core/cli/context.ts"
import type { ProcessRates } from "./processes.ts"
import type { CaseResult, Side } from "./rounds.ts"
import { median, percentile } from "./statistics.ts"
import type { Visibility } from "./visibility.ts"

/** Returns the table of rates, and of ratios to the rivals' with their targets. */
export function ratioTable(results: readonly CaseResult[]): string {
  const sides = Object.keys(results[0]?.rates ?? {}) as Side[]
  const rivals = sides.filter((side) => side !== "ours")
  const head = [
    "CASE",
    ...sides.map((side) => `${side.toUpperCase()}/S`),
    ...rivals.flatMap((rival) => [`OVER ${rival.toUpperCase()}`, ""]),
  ]
  const rows = results.map(({ each: { name, walks, targets }, rates }) => [
    walks ? `${name}, records` : name,
    ...sides.map((side) => number(median(rates[side] ?? []))),
    ...rivals.flatMap((rival) => {
      const ratios = over(rates.ours ?? [], rates[rival] ?? [])
      const target = targets?.[rival as keyof typeof targets]
      return [withSpread(ratios), target === undefined ? "" : verdict(ratios, target)]
    }),
  ])
  return textTable([head, ...rows])
}

/** Returns the table of delays, with the least and the greatest median and percentile of a round. */
export function visibilityTable(visibility: Visibility): string {
  const rows = Object.entries(visibility).map(([side, rounds]) => [
    side,
    ...[50, 99].map((percent) => withSpread(rounds.map((delays) => percentile(delays, percent)))),
    String(rounds.flat().length),
  ])
  return textTable([["COMMIT TO VISIBLE", "MEDIAN MS", "P99 MS", "CHANGES"], ...rows])
}

/** Returns the table of processes that share a port. */
export function processTable(rates: ProcessRates): string {
  const one = rates.get(1) ?? []
  const rows = [...rates].map(([count, those]) => [
    String(count),
    withSpread(those),
    withSpread(over(those, one)),
  ])
  return textTable([["PROCESSES", "POLLS/S", "OVER ONE"], ...rows])
}

function over(rates: readonly number[], others: readonly number[]): number[] {
  return rates.map((rate, round) => rate / (others[round] ?? NaN))
}

function verdict(ratios: readonly number[], target: number): string {
  return `${median(ratios) >= target ? "met" : "MISSED"} (${target})`
}

function withSpread(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const middle = number(median(numbers))
  return least === most ? middle : `${middle} [${number(least)}, ${number(most)}]`
}

function number(value: number): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return value.toLocaleString("en", {
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  })
}
