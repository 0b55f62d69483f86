/** What the operator sets about polling; times in seconds. */
export interface Polling {
  /** How long a transaction of a writer may take: `Next-Since` is that far behind the clock. */
  readonly lag: number
  /** How long the change log is kept. */
  readonly retention: number
  /** The recommended time from one poll to the next, by the event's status. */
  readonly intervals: {
    readonly running: number
    readonly upcoming: number
    readonly closed: number
  }
}

/** What `Poll-Interval` recommends: for a status of the operator's own as for a running event. */
export function pollInterval({ intervals }: Polling, status: string | undefined): number {
  if (status === "closed") return intervals.closed
  return status === "upcoming" || status === undefined ? intervals.upcoming : intervals.running
}
