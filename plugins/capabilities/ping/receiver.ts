import type { Selectable } from "kysely"
import type { Schema } from "../../../core/tables.ts"
import { longestPauseAfter, pauseAfter, type PingAttempt } from "./attempts.ts"
import { Pending, type PendingChange } from "./pending.ts"

export type ReceiverRow = Selectable<Schema["ping_receiver"]>

/** The columns that the sending process changes. */
export const progressColumns = [
  ...["state", "reason", "since", "failing_since", "attempts", "next_at"] as const,
  ...["last_sent", "last_status", "last_error", "sent_seq"] as const,
]

export type Progress = Pick<ReceiverRow, (typeof progressColumns)[number]>

/** A moment: milliseconds of a monotonic clock, and the time in the database in Unix seconds. */
export interface Moment {
  readonly now: number
  readonly time: number
}

/** A receiver in the memory of the sending process. */
export class Receiver {
  row: ReceiverRow
  /** The host name and port to which requests go. */
  readonly host: string
  readonly pending = new Pending()
  /** What is being sent; undefined if nothing. */
  sending: PendingChange | "challenge" | undefined
  /**
   * The log number after which changes have yet to be read; negative if everything may have changed, undefined if there
   * is nothing to read.
   */
  since: number | undefined
  /** No attempt is made before this time, in milliseconds. */
  dueAt: number
  progress: Progress

  constructor(row: ReceiverRow, { now, time }: Moment) {
    this.row = row
    this.host = URL.parse(row.url)?.host ?? ""
    this.progress = Object.fromEntries(
      progressColumns.map((column) => [column, row[column]]),
    ) as Progress
    // The clock may have been set back since then.
    const longest = longestPauseAfter(row.attempts, row.state === "on") ?? 0
    this.dueAt = now + Math.min(Math.max(0, row.next_at - time), longest) * 1000
  }

  get isOn(): boolean {
    return this.progress.state === "on"
  }

  /** True if the next attempt is likely to fail. */
  get isDoubtful(): boolean {
    return !this.isOn || this.progress.attempts > 0
  }

  /** True if it is to be told about changes, now or once it has answered a new challenge. */
  get isMarked(): boolean {
    return this.isOn || this.progress.sent_seq !== 0
  }

  /** The number of the first change that it has not been told about; infinite if there is none. */
  get first(): number {
    return Math.min(this.pending.first, (this.since ?? Infinity) + 1)
  }

  /** Notes that everything may have changed. */
  markAll(): void {
    this.since = -1
    this.progress = { ...this.progress, sent_seq: -1 }
  }

  /** Notes that all earlier changes are marked. */
  endCatchingUp(): void {
    this.since = undefined
    if (this.isOn && !this.isDoubtful) this.progress = { ...this.progress, sent_seq: this.#sentSeq }
  }

  /** Zero if it is no longer behind. */
  get #sentSeq(): number {
    return this.first === Infinity ? 0 : this.progress.sent_seq
  }

  /** Notes what is being sent, and the time in milliseconds. */
  begin(sending: PendingChange | "challenge", now: number): void {
    this.sending = sending
    if (sending !== "challenge") this.pending.note(sending, now)
  }

  /** Applies the outcome of an attempt. */
  finish(
    attempt: PingAttempt,
    { random, ...moment }: Moment & { readonly random?: (() => number) | undefined },
  ): void {
    if (attempt.result === "delivered") this.#succeed(attempt.status, moment)
    else this.#fail(attempt, moment, random)
  }

  #succeed(last_status: number, { time }: Moment): void {
    if (typeof this.sending === "object") this.pending.drop(this.sending)
    this.sending = undefined
    this.progress = {
      ...this.progress,
      ...(this.isOn ? {} : { state: "on", reason: null, since: time }),
      ...{ failing_since: null, attempts: 0, next_at: 0 },
      ...{ last_sent: time, last_status, last_error: null, sent_seq: this.#sentSeq },
    }
  }

  #fail(
    { result, status, error }: Exclude<PingAttempt, { result: "delivered" }>,
    { now, time }: Moment,
    random: (() => number) | undefined,
  ): void {
    const { isOn, progress, first } = this
    this.sending = undefined
    const attempts = progress.attempts + 1
    const isGone = result === "gone"
    const pause = isGone
      ? undefined
      : pauseAfter(attempts, { isConfirmed: isOn, ...random && { random } })
    this.dueAt = now + (pause ?? 0) * 1000
    this.progress = {
      ...progress,
      ...{ attempts, failing_since: progress.failing_since ?? time },
      ...{ last_status: status, last_error: error },
      next_at: Math.ceil(time + (pause ?? 0)),
      sent_seq: progress.sent_seq || (first === Infinity ? 0 : first - 1 || -1),
      ...pause === undefined && {
        state: "off" as const,
        since: time,
        reason: isGone ? "gone" : isOn ? "failing" : "unconfirmed",
      },
    }
  }
}
