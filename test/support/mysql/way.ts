/** A server that tests may use. `url` has an account that may create databases, and no database. */
export type RunningMysql = {
  readonly url: string
  /** What it is, for people: "MySQL 9.7 in a container". */
  readonly how: string
  stop(): Promise<void>
}

/**
 * One way to get a server. Rejects with a short reason where it can't be had this way, and leaves
 * nothing running then. `signal` ends the attempt early.
 */
export type Way = {
  readonly name: string
  readonly start: (signal: AbortSignal) => Promise<RunningMysql>
}
