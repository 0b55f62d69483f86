import type { Selectable } from "kysely"
import type { Schema } from "../../../core/capability.ts"
import { type Attempt, longestPauseAfter, pauseAfter } from "./attempts.ts"
import { type Entry, Pending } from "./pending.ts"

export type ReceiverRow = Selectable<Schema["ping_receiver"]>

/** The columns that the process that sends changes. */
export const progressColumns = [
  ...["state", "reason", "since", "failing_since", "attempts", "next_at"] as const,
  ...["last_sent", "last_status", "last_error", "sent_seq"] as const,
]

export type Progress = Pick<ReceiverRow, (typeof progressColumns)[number]>

/** A moment: milliseconds of a clock that nobody sets, and the time in the database, in Unix seconds. */
export interface Moment {
  readonly now: number
  readonly time: number
}

interface Settled {
  readonly settled: number | undefined
  readonly random?: (() => number) | undefined
}

/** A receiver in the memory of the process that sends. */
export class Receiver {
  row: ReceiverRow
  /** The name and port that requests go to. */
  readonly host: string
  readonly pending = new Pending()
  /** What is being sent; undefined if nothing is. */
  sending: Entry | "challenge" | undefined
  /** The number behind which changes are still to be read from the log, -1 for all there ever were; undefined if none are. */
  cursor: number | undefined
  /** While all that there is has to be read: the last event that was. */
  after = ""
  /** True while what looks find is added. */
  isSubscribed = false
  /** What is being read for it; undefined if nothing is. */
  reading: object | undefined
  /** No attempt is made before, in milliseconds. */
  dueAt: number
  /** Until the first look after it was read from the database. */
  isNew = true
  progress: Progress

  constructor(row: ReceiverRow, { now, time }: Moment) {
    this.row = row
    this.host = URL.parse(row.url)?.host ?? ""
    this.cursor = row.sent_seq
    this.progress = Object.fromEntries(
      progressColumns.map((column) => [column, row[column]]),
    ) as Progress
    // The clock may have been set back since.
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

  /** The number up to which every change has been sent, or has a later one behind it. */
  sentUpTo(settled: number | undefined): number {
    if (!this.isOn) return this.progress.sent_seq
    const { sending, cursor, pending } = this
    const current = typeof sending === "object" ? sending.seq - 1 : Infinity
    return Math.min(settled ?? this.progress.sent_seq, cursor ?? Infinity, pending.behind, current)
  }

  /** Adds an entry that was found behind a number, or leaves it in the log if there is no room. */
  add(entry: Entry, behind: number): void {
    if (this.isSubscribed && !this.pending.add(entry)) this.unsubscribe(behind)
  }

  /** Leaves in the log what looks find behind a number. */
  unsubscribe(behind: number): void {
    this.isSubscribed = false
    this.cursor = Math.min(this.cursor ?? Infinity, behind)
    this.after = ""
  }

  /** Leaves what waits in the log. */
  leaveInLog(settled: number | undefined): void {
    this.cursor = this.sentUpTo(settled)
    this.after = ""
    this.isSubscribed = false
    this.reading = undefined
    this.pending.clear()
  }

  /** Reads everything again: the log says nothing of what has changed. */
  readAll(): void {
    this.leaveInLog(undefined)
    this.cursor = -1
  }

  /** Takes up what came of an attempt. `settled` is the number up to which all changes are known. */
  finish(attempt: Attempt, moment: Moment & Settled): void {
    if (attempt.result === "delivered") this.#succeed(attempt.status, moment)
    else this.#fail(attempt, moment)
  }

  #succeed(last_status: number, { time, settled }: Moment & Settled): void {
    const { sending, progress } = this
    this.sending = undefined
    this.progress = {
      ...progress,
      ...(this.isOn ? {} : { state: "on", reason: null, since: time }),
      ...{ failing_since: null, attempts: 0, next_at: 0 },
      ...{ last_sent: time, last_status, last_error: null },
    }
    // It has polled what there was before it was confirmed.
    if (this.isOn && sending === "challenge" && progress.sent_seq === 0) this.cursor = settled ?? 0
  }

  #fail(
    { result, status, error }: Exclude<Attempt, { result: "delivered" }>,
    { now, time, settled, random }: Moment & Settled,
  ): void {
    this.leaveInLog(settled)
    this.sending = undefined
    const { isOn, progress } = this
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
      sent_seq: this.cursor ?? progress.sent_seq,
      ...pause === undefined && {
        state: "off" as const,
        since: time,
        reason: isGone ? "gone" : isOn ? "failing" : "unconfirmed",
      },
    }
  }
}
