import type { Observer } from "../../../core/capability.ts"

/** The events that a demonstration counts. */
export type Happening = "polls" | "changes" | "pings"

/** What has happened in a demonstration. */
export interface Summary extends Readonly<Record<Happening, number>> {
  /** Seconds since the start. */
  readonly seconds: number
  readonly isLive: boolean
  /** The account and the status of the last poll. */
  readonly latest?: { readonly account: string; readonly status: number } | undefined
}

/** Summarizes in one line what has happened. */
export function summaryLine(summary: Summary): string {
  const { seconds, isLive, latest } = summary
  // The other counts do not change while it is not live.
  const names = isLive ? ["polls", "changes", "pings"] as const : ["polls"] as const
  const counts = names.map((name) => {
    const count = summary[name]
    return `${count} ${count === 1 ? name.slice(0, -1) : name}`
  })
  const last = latest ? `; latest poll: ${latest.account}, ${latest.status}` : ""
  return `${durationOf(seconds)}: ${counts.join(", ")}${last}`
}

function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Counts what happens in a demonstration. */
export class Happenings {
  readonly #counts = { polls: 0, changes: 0, pings: 0 }
  readonly #began = performance.now()
  #latest: Summary["latest"]

  readonly count = (happening: Happening): void => {
    this.#counts[happening]++
  }

  /** Counts any request for a list as a poll. */
  readonly observe: Observer = (exchange) => {
    if (exchange.asked.action !== "list") return
    this.count("polls")
    const account = exchange.account ?? "nobody"
    this.#latest = { account, status: exchange.sent.status }
  }

  line(isLive: boolean): string {
    const seconds = Math.floor((performance.now() - this.#began) / 1000)
    return summaryLine({ ...this.#counts, seconds, isLive, latest: this.#latest })
  }
}
