/** A row of the change log. */
export interface LogRow {
  readonly seq: number
  readonly writer: string
  /** A random number, by which sums of different rows differ. */
  readonly mark: number
  readonly isOpen: boolean
}

/** The settled part of a log: its last number, and the count and the sum of marks up to there. */
export interface Base {
  readonly upTo: number
  readonly count: number
  readonly sum: number
}

/** The change log of a server, with its base. */
export interface Log {
  readonly rows: readonly LogRow[]
  readonly lastSeq: number
  /** Numbers that were handed out, by writer, and have no row yet. */
  readonly handedOut: Readonly<Record<string, number>>
  readonly base: Base
  /** What was committed, in the order of the commits: rows of a writer, or a base. */
  readonly commits: readonly Commit[]
}
export type Commit = { readonly writer: string; readonly row: LogRow } | { readonly base: Base }

/** A log without rows. */
export const emptyLog: Log = {
  rows: [],
  lastSeq: 0,
  handedOut: {},
  base: { upTo: 0, count: 0, sum: 0 },
  commits: [],
}

/** Hands out the number of a writer's next row. */
export function handOut(log: Log, writer: string): Log {
  const lastSeq = log.lastSeq + 1
  return { ...log, lastSeq, handedOut: { ...log.handedOut, [writer]: lastSeq } }
}

/** Writes a writer's row, under the number that it has been handed. */
export function writeRow(log: Log, writer: string, mark: number): Log {
  const { [writer]: seq, ...handedOut } = log.handedOut
  if (seq === undefined) return log
  return { ...log, handedOut, rows: [...log.rows, { seq, writer, mark, isOpen: true }] }
}

/** Commits a writer's row, if there is an open one. */
export function commitRow(log: Log, writer: string): Log {
  const open = log.rows.find((row) => row.writer === writer && row.isOpen)
  if (!open) return log
  const row = { ...open, isOpen: false }
  const rows = log.rows.map((each) => each === open ? row : each)
  return { ...log, rows, commits: [...log.commits, { writer, row }] }
}

/** Rolls a writer's row back. Its number is never used again. */
export function rollBackRow(log: Log, writer: string): Log {
  return { ...log, rows: log.rows.filter((row) => row.writer !== writer || !row.isOpen) }
}

/** Commits a base. */
export function commitBase(log: Log, base: Base): Log {
  return { ...log, base, commits: [...log.commits, { base }] }
}

/** Applies a commit of another server. */
export function apply(log: Log, commit: Commit): Log {
  const commits = [...log.commits, commit]
  if ("base" in commit) return { ...log, base: commit.base, commits }
  const { row } = commit
  const lastSeq = Math.max(log.lastSeq, row.seq)
  return { ...log, rows: [...log.rows, row], lastSeq, commits }
}

/** Returns what a server that takes over has: what is committed. Numbers continue after its last row. */
export function committedPart({ rows, base, commits }: Log): Log {
  const committed = rows.filter(({ isOpen }) => !isOpen)
  const lastSeq = Math.max(0, ...committed.map(({ seq }) => seq))
  return { rows: committed, lastSeq, handedOut: {}, base, commits }
}

/** Returns the count and the sum of marks of the committed rows above one number and up to another. */
export function foldRows(
  { rows }: Log,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): { readonly count: number; readonly sum: number } {
  const counted = rows.filter(({ seq, isOpen }) => !isOpen && seq > above && seq <= upTo)
  return { count: counted.length, sum: counted.reduce((sum, { mark }) => sum + mark, 0) }
}

/** Returns what a snapshot holds, as text: equal for equal records. */
export function contentsOf({ rows }: Log): string {
  const committed = rows.filter(({ isOpen }) => !isOpen)
  return committed.map(({ writer, mark }) => `${writer}${mark}`).sort().join(" ")
}
