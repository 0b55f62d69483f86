/** A server for tests. `url` names an account that may create databases, and no database. */
export type RunningMysql = {
  readonly url: string
  /** A description for people, such as "MySQL 9.7 in a container". */
  readonly how: string
  stop(): Promise<void>
}

/**
 * A way to get a server. `start` rejects with a short reason if this way fails, and then leaves nothing
 * running. `signal` ends the attempt early.
 */
export type Way = {
  readonly name: string
  readonly start: (signal: AbortSignal) => Promise<RunningMysql>
}
