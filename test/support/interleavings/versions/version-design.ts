import { type Base, foldRows, type Log } from "./log.ts"

/** How a service makes the version of an event. */
export interface VersionDesign {
  /** A version has the count of changes, or the sum of their marks too. */
  readonly of: "count" | "count and sum"
  /** The base is a row in the database, or each instance has its own and counts from there. */
  readonly base: "in the database" | "in memory"
  /** True if the base may pass an open row. */
  readonly passesOpen: boolean
  /** True if the base may pass a number that was handed out and has no row yet. */
  readonly passesHandedOut: boolean
  /** True if a base that was found before a failover may be written after it. */
  readonly survivesFailover: boolean
}

/** The design of the service. */
export const realVersion: VersionDesign = {
  of: "count and sum",
  base: "in the database",
  passesOpen: false,
  passesHandedOut: false,
  survivesFailover: false,
}

/** Returns the version of a snapshot. */
export function versionOf({ of, base }: VersionDesign, log: Log, memory: number): string {
  if (base === "in memory") return String(foldRows(log, { above: memory, upTo: Infinity }).count)
  const above = foldRows(log, { above: log.base.upTo, upTo: Infinity })
  const count = log.base.count + above.count
  return of === "count" ? String(count) : `${count} ${log.base.sum + above.sum}`
}

/** Finds the furthest base of a log. */
export function findBase({ passesOpen, passesHandedOut }: VersionDesign, log: Log): Base {
  const first = Math.min(
    ...passesOpen ? [] : log.rows.filter(({ isOpen }) => isOpen).map(({ seq }) => seq),
    ...passesHandedOut ? [] : Object.values(log.handedOut),
  )
  const settled = log.rows.filter(({ seq, isOpen }) => !isOpen && seq < first)
  const upTo = Math.max(0, ...settled.map(({ seq }) => seq))
  return { upTo, ...foldRows(log, { above: 0, upTo }) }
}
