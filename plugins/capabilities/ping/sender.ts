import { hash } from "node:crypto"
import { setImmediate as turn } from "node:timers/promises"
import {
  type CapabilityHost,
  type Log,
  type TailResult,
  version,
} from "../../../core/capability.ts"
import { judge } from "./attempts.ts"
import { type ListChange, readBehind } from "./changes.ts"
import { PingLease } from "./lease.ts"
import { ofProcess, Pace, toHost } from "./pace.ts"
import type { ListName, PendingChange } from "./pending.ts"
import type { Poster } from "./post.ts"
import type { Moment, Receiver } from "./receiver.ts"
import { Rights } from "./rights.ts"
import { Roster } from "./roster.ts"
import { challengeOf, signaturesOf, signedHeaders } from "./signature.ts"

type Tail = CapabilityHost["nodes"]["changes"]["tail"]

/** What a sender works with. */
export interface SenderParts extends Pick<CapabilityHost, "database" | "nodes" | "plan"> {
  readonly log: Log
  readonly poster: Pick<Poster, "post">
  /** Milliseconds from one look at the change log to the next, and from one step. */
  readonly every?: number | undefined
  /** A name that no other sender has. */
  readonly owner: string
  /** Milliseconds of a clock that nobody sets. */
  readonly now?: () => number
  readonly random?: () => number
  /** Called when a step is due before the pause is over. */
  readonly wake?: () => void
  /** Counts on from what former senders of the process have counted. */
  readonly outcomes: Record<Result, number>
}

/** How pings and challenges have ended, and how many wait. */
export interface SenderNumbers {
  /** By `delivered`, `failed`, `gone`; `withdrawn` if the account may no longer read the list. */
  readonly outcomes: Readonly<Record<Result, number>>
  readonly waiting: number
  readonly running: number
}

type Result = "delivered" | "failed" | "gone" | "withdrawn"

/** Returns the counts of a process that has sent nothing. */
export const noOutcomes = () => ({ delivered: 0, failed: 0, gone: 0, withdrawn: 0 })

/** Requests at a time. */
const mostRequests = 64

/** Requests at a time to receivers that failed last time, and so may hang. The others have the rest. */
const mostDoubtful = 8

/** Milliseconds from one exchange with the table of receivers to the next. */
const refreshing = 2000

/** Milliseconds until a process without the lease looks again. */
const usualIdle = 5000

/** Milliseconds between two steps at least. */
const shortest = 20

const lists = ["guests", "items", "events"] as const

/** Changes whose readers are looked up together. */
const mostChanges = 100

/**
 * Sends pings and challenges, step by step, while this process has the lease. Changes that the tail of the log tells are
 * marked in memory, by receiver and list. The next process with the lease marks what has changed since the lease's note, and
 * for a receiver that failed, since its failure.
 */
export class Sender {
  readonly #parts: SenderParts
  readonly #now: () => number
  readonly #every: number
  readonly #idle: number
  readonly #lease: PingLease
  readonly #rights: Rights
  readonly #pace: Pace
  /** Of the hosts that were sent something lately. */
  readonly #paces = new Map<string, Pace>()
  readonly #running = new Set<Promise<void>>()
  /** How many of these are to receivers that may hang. */
  #doubtful = 0
  #roster!: Roster
  /** The tail of the log on the primary; while there are receivers, it is listened to. */
  #tail!: Tail
  #listening: Disposable | undefined
  #listensSince = Infinity
  /** What looks have found and is not taken up yet, and when. */
  #found: (TailResult & { readonly at: number })[] = []
  /** The number up to which all changes have been taken up. */
  #settled: number | undefined
  #refreshAt = 0
  /** False until the receivers have been read in this term. */
  #isRefreshed = false
  #term = 0
  #isActive = false
  #isEnded = false

  constructor(parts: SenderParts) {
    const { database, plan, every = 250, now = () => performance.now() } = parts
    this.#parts = parts
    this.#now = now
    this.#every = every
    this.#idle = Math.max(usualIdle, every)
    this.#lease = new PingLease(database, parts.owner, now)
    this.#rights = new Rights(database, plan)
    this.#pace = new Pace(now, ofProcess)
    this.#beginAgain()
  }

  get numbers(): SenderNumbers {
    const waiting = this.#roster.all.reduce((sum, { pending }) => sum + pending.size, 0)
    return { outcomes: this.#parts.outcomes, waiting, running: this.#running.size }
  }

  /** True while this process is the one that sends. */
  get isActive(): boolean {
    return this.#isActive && this.#lease.isHeld
  }

  /**
   * Does what is due. Returns the milliseconds until the next step. One step at a time.
   * @throws as the database does; the next step goes on.
   */
  async step(): Promise<number> {
    if (this.#isEnded) return this.#idle
    // A new primary may lack changes that the former one has told, and the note of them.
    const isOther = this.#parts.nodes.changes.tail !== this.#tail
    if (!await this.#lease.hold(isOther)) {
      if (this.#isActive) this.#beginAgain()
      return this.#idle
    }
    if (isOther || this.#lease.term !== this.#term) this.#beginAgain()
    this.#term = this.#lease.term
    this.#isActive = true
    const begun = this.#now()
    if (this.#isRefreshed && this.#roster.all.length === 0) this.#stopListening()
    else this.#listening ??= await this.#listen()
    if (begun >= this.#refreshAt) {
      await this.#refresh()
      this.#refreshAt = begun + refreshing
      for (const [host, pace] of this.#paces) if (pace.isRested) this.#paces.delete(host)
    }
    if (this.#listening) await this.#takeUp()
    if (!this.#isEnded) await this.#send()
    return Math.max(shortest, Math.min(this.#every, this.#refreshAt - this.#now()))
  }

  /** Sends nothing more, and lets another process go on once the running requests have ended. Never throws. */
  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(this.#running)
    this.#stopListening()
    if (!this.isActive) return
    try {
      await this.#write()
      await this.#lease.giveBack()
    } catch (error) {
      this.#parts.log.warn({ error }, "cannot let another process send pings: one does in a moment")
    }
  }

  #moment(): Moment {
    return { now: this.#now(), time: this.#lease.time }
  }

  /** Forgets everything: another process may have sent meanwhile. */
  #beginAgain(): void {
    const { database, nodes, owner } = this.#parts
    this.#roster = new Roster(database, owner)
    this.#tail = nodes.changes.tail
    this.#stopListening()
    this.#settled = undefined
    this.#refreshAt = 0
    this.#isRefreshed = false
    this.#isActive = false
  }

  async #listen(): Promise<Disposable> {
    this.#listensSince = this.#now()
    return await this.#tail.listen({
      every: () => this.#every,
      hear: (found) => void (found && this.#found.push({ ...found, at: this.#now() })),
    })
  }

  #stopListening(): void {
    this.#listening?.[Symbol.dispose]()
    this.#listening = undefined
    this.#found = []
  }

  /** Writes where receivers are behind, and then what all others have been told. */
  async #write(): Promise<void> {
    await this.#roster.write()
    if (this.#settled === undefined) return
    let noted = this.#settled
    for (const { row, first } of this.#roster.all) {
      if (row.sent_seq === 0) noted = Math.min(noted, first - 1)
    }
    await this.#lease.note(noted)
  }

  /** Writes and reads the receivers, and finds from where to read the log for new ones. */
  async #refresh(): Promise<void> {
    await this.#write()
    const added = await this.#roster.refresh(() => this.#moment())
    const { noted } = this.#lease
    for (const receiver of added) {
      const { sent_seq } = receiver.row
      if (sent_seq !== 0) receiver.since = sent_seq
      else if (receiver.isOn && !this.#isRefreshed) receiver.since = noted ?? undefined
      // Its account was disabled for a while, or its waiting pings are lost.
      else if (receiver.isOn) receiver.markAll()
    }
    this.#isRefreshed = true
  }

  /**
   * Marks what was found, and what receivers are behind with, once all servers that polls are read from have it, so that the
   * poll after a ping finds it. What is read from the log is newer only by what looks have told since they began.
   */
  async #takeUp(): Promise<void> {
    const arrived = this.#now() - this.#parts.nodes.delay * 1000
    for (let [first] = this.#found; first && first.at <= arrived; [first] = this.#found) {
      const { changes, settled, isEmptied } = first
      const marked = this.#roster.all.filter(({ isMarked }) => isMarked)
      if (isEmptied) { for (const receiver of marked) receiver.markAll() }
      await this.#mark(marked, changes)
      this.#settled = isEmptied ? settled : settled ?? this.#settled
      this.#found.shift()
    }
    if (this.#listensSince <= arrived) await this.#catchUp()
  }

  /** Marks what receivers that are behind have not been told. */
  async #catchUp(): Promise<void> {
    const behind = this.#roster.all.filter(({ since }) => since !== undefined)
    for (const receiver of behind) {
      // The number is from before the log was emptied, or from a primary that had more.
      if ((receiver.since ?? 0) > (this.#settled ?? Infinity)) receiver.since = -1
    }
    for (const [since = 0, same] of Map.groupBy(behind, ({ since }) => since)) {
      for (let from: number | undefined = since; from !== undefined;) {
        const { changes, next } = await readBehind(this.#parts.database, from)
        await this.#mark(same, changes)
        from = next
      }
      for (const receiver of same) receiver.endCatchingUp()
    }
  }

  /** Marks changes for the receivers that may know of them. @throws as the database does. */
  async #mark(receivers: readonly Receiver[], changes: readonly ListChange[]): Promise<void> {
    const byId = new Map(receivers.map((receiver) => [receiver.row.id, receiver]))
    for (let at = 0; at < changes.length; at += mostChanges) {
      const part = changes.slice(at, at + mostChanges)
      const events = [...new Set(part.map(({ event }) => event))]
      const readable = await this.#rights.find([...byId.keys()], events)
      for (const change of part) {
        const entries = (change.list === null ? lists : [change.list]).map((list) =>
          entryOf(change, list)
        )
        for (const [id, mayRead] of readable.get(change.event) ?? []) {
          for (const entry of entries) if (mayRead(entry.list)) byId.get(id)?.pending.add(entry)
        }
      }
      // Requests have their turn.
      await turn()
    }
  }

  /** Sends what is due, as far as limits allow. */
  async #send(): Promise<void> {
    const now = this.#now()
    let free = Math.min(mostRequests - this.#running.size, this.#pace.left)
    let freeOfDoubtful = mostDoubtful - this.#doubtful
    const freeOfHosts = new Map<string, number>()
    const chosen = new Map<Receiver, PendingChange | "challenge">()
    for (const receiver of this.#roster.all) {
      if (free <= 0) break
      if (!isDue(receiver, now) || (receiver.isDoubtful && freeOfDoubtful <= 0)) continue
      const due = receiver.isOn ? receiver.pending.due(now) : "challenge"
      if (due === undefined) continue
      const { host } = receiver
      const freeOfHost = freeOfHosts.get(host) ?? this.#paceOf(host).left
      if (freeOfHost <= 0) continue
      freeOfHosts.set(host, freeOfHost - 1)
      chosen.set(receiver, due)
      free--
      if (receiver.isDoubtful) freeOfDoubtful--
    }
    const entries = [...chosen].flatMap(([{ row: { id } }, due]) =>
      due === "challenge" ? [] : { id, event: due.event }
    )
    const readable = await this.#rights.find(
      entries.map(({ id }) => id),
      [...new Set(entries.map(({ event }) => event))],
    )
    // The statement may have taken longer than the lease.
    if (this.#isEnded || !this.#lease.isHeld) return
    for (const [receiver, due] of chosen) {
      if (due === "challenge" || readable.get(due.event)?.get(receiver.row.id)?.(due.list)) {
        this.#run(receiver, due)
        continue
      }
      receiver.pending.drop(due)
      this.#parts.outcomes.withdrawn++
      this.#parts.wake?.()
    }
  }

  #paceOf(host: string): Pace {
    const pace = this.#paces.get(host) ?? new Pace(this.#now, toHost)
    this.#paces.set(host, pace)
    return pace
  }

  /** Sends one request, and takes up its outcome. */
  #run(receiver: Receiver, sending: PendingChange | "challenge"): void {
    receiver.begin(sending, this.#now())
    this.#pace.take()
    this.#paceOf(receiver.host).take()
    const { isDoubtful } = receiver
    if (isDoubtful) this.#doubtful++
    this.#roster.moveToEnd(receiver)
    const run = this.#post(receiver, sending).then(
      (attempt) => this.#finish(receiver, attempt),
      (error) => {
        this.#parts.log.error({ error, receiver: receiver.row.id }, "cannot send a ping")
        this.#finish(receiver, { result: "failed", status: null, error: "broken" })
      },
    ).finally(() => {
      this.#running.delete(run)
      if (isDoubtful) this.#doubtful--
      this.#parts.wake?.()
    })
    this.#running.add(run)
  }

  async #post({ row, progress: { since } }: Receiver, sending: PendingChange | "challenge") {
    const { id, url, secret, former_secret, former_until } = row
    const challenge = sending === "challenge"
      ? challengeOf({ id, since }, this.#parts.plan.session.secrets[0] ?? "")
      : undefined
    const body = JSON.stringify(
      typeof sending === "object"
        ? { type: "changed", event: sending.event, list: sending.list, changed: sending.changed }
        : { type: "challenge", challenge },
    )
    const about = typeof sending === "object" ? `${sending.version}` : ""
    const isRotated = former_secret !== null && (former_until ?? 0) > this.#lease.time
    const message = {
      id: `msg_${hash("sha256", `${id} ${about} ${body}`).slice(0, 32)}`,
      at: Math.floor(Date.now() / 1000),
      body,
      secrets: isRotated ? [secret, former_secret] : [secret],
    }
    const outcome = await this.#parts.poster.post(url, {
      headers: {
        ...signedHeaders(message),
        "content-type": "application/json",
        "user-agent": `event-export/${version}`,
      },
      body,
    })
    // Signing takes a secret, so a server that echoes what it gets does not pass.
    return judge(
      outcome,
      challenge === undefined ? undefined : signaturesOf({ ...message, body: challenge }),
    )
  }

  #finish(receiver: Receiver, attempt: ReturnType<typeof judge>): void {
    const { result } = attempt
    this.#parts.outcomes[result]++
    // It was removed, or another process sends now.
    if (!this.#roster.has(receiver)) return
    const { random } = this.#parts
    const before = receiver.progress
    receiver.finish(attempt, { ...this.#moment(), random })
    const { state, reason } = receiver.progress
    if (state === "off") {
      this.#parts.log.warn({ receiver: receiver.row.id, reason }, "a receiver of pings is off")
    }
    if (state !== before.state || result === "failed") {
      this.#refreshAt = Math.min(this.#refreshAt, this.#now() + this.#every)
    }
  }
}

/** True if the next attempt may be made: a receiver has one request at a time. */
function isDue({ sending, dueAt, progress }: Receiver, now: number): boolean {
  return !sending && dueAt <= now && progress.state !== "off"
}

function entryOf({ event, at: changed, seq, version }: ListChange, list: ListName): PendingChange {
  return { event, list, changed, seq, version }
}
