import { setImmediate as turn } from "node:timers/promises"
import { type Found, type Host, type Log, sha256, version } from "../../../core/capability.ts"
import { Arrivals } from "./arrivals.ts"
import { judge } from "./attempts.ts"
import { type Change, Changes, mostChanges } from "./changes.ts"
import { Lease } from "./lease.ts"
import { ofProcess, Pace, toHost } from "./pace.ts"
import { type Entry, type ListName, mostEntries } from "./pending.ts"
import type { Poster } from "./post.ts"
import type { Moment, Receiver } from "./receiver.ts"
import { Rights } from "./rights.ts"
import { Roster } from "./roster.ts"
import { challengeOf, signaturesOf, signedHeaders } from "./signature.ts"

type Tail = Host["nodes"]["changes"]["tail"]

/** What a sender works with. */
export interface SenderParts extends Pick<Host, "database" | "nodes" | "plan"> {
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

/** Entries of a receiver whose rights are judged at once: the first that it may read is sent. */
const mostJudged = 20

/** Requests at a time. */
const mostRequests = 64

/** Requests at a time to receivers that may hang, as they failed last time: the others have the rest. */
const mostDoubtful = 8

/** Receivers times changes that are looked through without a break. */
const mostUnbroken = 2000

/** Milliseconds from one exchange with the table of receivers to the next. */
const refreshing = 2000

/** Milliseconds until a process without the lease looks again. */
const usualIdle = 5000

/** Milliseconds between two steps at least. */
const shortest = 20

const lists = ["guests", "items", "events"] as const

/**
 * Sends pings and challenges, step by step, while this process has the lease. The queue is the change log: memory has only
 * what is sent next, and whatever is lost with it is found again behind `sent_seq`.
 */
export class Sender {
  readonly #parts: SenderParts
  readonly #now: () => number
  readonly #every: number
  readonly #idle: number
  readonly #lease: Lease
  readonly #rights: Rights
  readonly #pace: Pace
  /** Those of the hosts that have got something of late. */
  readonly #paces = new Map<string, Pace>()
  readonly #running = new Set<Promise<void>>()
  /** How many of these are to receivers that may hang. */
  #doubtful = 0
  #roster!: Roster
  #changes!: Changes
  #arrivals!: Arrivals
  /** The tail of the log on the primary, and the listening to it while there is something to send. */
  #tail!: Tail
  #listening: Disposable | undefined
  /** What looks have found that is not taken up yet. */
  #told: Found[] = []
  /** The number up to which everything was visible at the last look that has arrived everywhere. */
  #settled: number | undefined
  #refreshAt = 0
  #term = 0
  #isActive = false
  #isEnded = false

  constructor(parts: SenderParts) {
    const { database, plan, every = 250, now = () => performance.now() } = parts
    this.#parts = parts
    this.#now = now
    this.#every = every
    this.#idle = Math.max(usualIdle, every)
    this.#lease = new Lease(database, parts.owner, now)
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
    if (!await this.#lease.hold()) {
      if (this.#isActive) this.#beginAgain()
      return this.#idle
    }
    // Another primary may lack what the former one has told.
    const isOther = this.#parts.nodes.changes.tail !== this.#tail
    if (isOther || this.#lease.term !== this.#term) this.#beginAgain()
    this.#term = this.#lease.term
    this.#isActive = true
    const begun = this.#now()
    if (begun >= this.#refreshAt) {
      await this.#roster.refresh(() => this.#moment(), this.#settled)
      this.#refreshAt = begun + refreshing
      for (const [host, pace] of this.#paces) if (pace.isRested) this.#paces.delete(host)
    }
    const isSending = this.#roster.all.some((receiver) => receiver.isOn || isDue(receiver, begun))
    if (!isSending) this.#stopListening()
    else this.#listening ??= await this.#listen()
    await this.#takeUp()
    await this.#arrivals.look()
    const readFrom = this.#now()
    const hasMore = await this.#readLog()
    const took = this.#now() - readFrom
    if (!this.#isEnded) await this.#send()
    const isRefreshDue = this.#now() >= this.#refreshAt
    if (isRefreshDue || hasMore) return hasMore ? Math.max(shortest, 4 * took) : shortest
    return Math.max(shortest, Math.min(this.#every, this.#refreshAt - this.#now()))
  }

  /** Sends nothing more, and lets another process go on once the running requests have ended. Never throws. */
  async end(): Promise<void> {
    this.#isEnded = true
    await Promise.all(this.#running)
    this.#stopListening()
    if (!this.isActive) return
    try {
      await this.#roster.write(this.#settled)
      await this.#lease.giveBack()
    } catch (error) {
      this.#parts.log.warn({ error }, "cannot let another process send pings: one does in a moment")
    }
  }

  #moment(): Moment {
    return { now: this.#now(), time: this.#lease.time }
  }

  /** Forgets everything: another process may have gone on meanwhile. */
  #beginAgain(): void {
    const { database, nodes, owner } = this.#parts
    this.#roster = new Roster(database, owner)
    this.#changes = new Changes(database)
    this.#arrivals = new Arrivals(nodes, () => this.#lease.mark(), this.#now)
    this.#tail = nodes.changes.tail
    this.#stopListening()
    this.#settled = undefined
    this.#refreshAt = 0
    this.#isActive = false
  }

  async #listen(): Promise<Disposable> {
    const told: Found[] = []
    const listening = await this.#tail.listen({
      every: () => this.#every,
      hear: (found) => {
        if (found) told.push(found)
        if (found?.changes.length) this.#parts.wake?.()
      },
    })
    this.#told = told
    return listening
  }

  #stopListening(): void {
    this.#listening?.[Symbol.dispose]()
    this.#listening = undefined
    this.#told = []
  }

  /** Takes up what looks have found, for the receivers that have all that was before. */
  async #takeUp(): Promise<void> {
    for (let found = this.#told.shift(); found; found = this.#told.shift()) {
      await this.#takeUpLook(found)
    }
  }

  async #takeUpLook({ changes, behind: from, settled, isEmptied }: Found): Promise<void> {
    for (const receiver of this.#roster.all.filter(({ isOn }) => isOn)) {
      const isAhead = receiver.isNew && settled !== undefined && receiver.row.sent_seq > settled
      if (isEmptied || isAhead) receiver.readAll()
      receiver.isNew = false
    }
    if (isEmptied) this.#settled = settled
    const subscribed = this.#roster.all.filter(({ isSubscribed }) => isSubscribed)
    const behind = this.#settled ?? 0
    const leaveInLog = () => subscribed.forEach((receiver) => receiver.unsubscribe(behind))
    const isMany = changes.length > mostChanges
    if (isMany) leaveInLog()
    try {
      const additions = isMany ? [] : await this.#entriesFor(subscribed, changes)
      await this.#arrivals.whenArrived(() => {
        for (const [receiver, entry] of additions) receiver.add(entry, from)
        this.#settled = settled ?? this.#settled
      }, additions.length > 0)
    } catch (error) {
      leaveInLog()
      throw error
    }
  }

  /** Reads a part of the log for those that are behind. Returns true if there is more to read. */
  async #readLog(): Promise<boolean> {
    const now = this.#now()
    const isBehind = (receiver: Receiver) =>
      receiver.isOn && receiver.cursor !== undefined && !receiver.reading &&
      receiver.dueAt <= now && receiver.pending.size <= mostEntries / 2
    const behind = this.#roster.all.filter(isBehind)
    const [first] = behind
    if (!first || !this.#listening) return false
    const { cursor = 0 } = first
    const group = cursor < 0 ? [first] : behind.filter((each) => each.cursor === cursor)
    const reading = {}
    for (const receiver of group) {
      receiver.reading = reading
      receiver.isSubscribed = true
      this.#roster.moveToEnd(receiver)
    }
    try {
      const { changes, ...next } = cursor < 0
        ? await this.#readAll(first)
        : await this.#readBehind(cursor)
      const additions = await this.#entriesFor(group, changes)
      await this.#arrivals.whenArrived(() => {
        for (const [receiver, entry] of additions) {
          if (receiver.reading === reading) receiver.add(entry, cursor)
        }
        for (const receiver of group) {
          if (receiver.reading !== reading) continue
          receiver.reading = undefined
          if (!receiver.isSubscribed) continue
          receiver.cursor = next.cursor
          receiver.after = next.after
        }
      }, additions.length > 0)
    } catch (error) {
      for (const receiver of group) {
        if (receiver.reading === reading) receiver.reading = undefined
      }
      throw error
    }
    return this.#roster.all.some(isBehind)
  }

  async #readBehind(from: number) {
    const { changes, next } = await this.#changes.readBehind(from)
    return { changes, cursor: next, after: "" }
  }

  async #readAll({ row, after }: Receiver) {
    const { changes, next } = await this.#changes.readAll(row.account_id, after)
    return { changes, cursor: next === undefined ? undefined : -1, after: next ?? "" }
  }

  /** Returns what each of the receivers may be told of changes. */
  async #entriesFor(
    receivers: readonly Receiver[],
    changes: readonly Change[],
  ): Promise<readonly (readonly [Receiver, Entry])[]> {
    const ids = receivers.map(({ row }) => row.id)
    const events = [...new Set(changes.map(({ event }) => event))]
    const readable = await this.#rights.find(ids, events)
    const byId = new Map(receivers.map((receiver) => [receiver.row.id, receiver]))
    const entries: (readonly [Receiver, Entry])[] = []
    let looked = 0
    for (const change of changes) {
      const names: readonly ListName[] = change.list === null ? lists : [change.list]
      const mayRead = [...readable.get(change.event) ?? []]
      for (const [id, may] of mayRead) {
        const receiver = byId.get(id)
        if (!receiver) continue
        for (const list of names) if (may(list)) entries.push([receiver, entryOf(change, list)])
      }
      looked += mayRead.length
      if (looked < mostUnbroken) continue
      // Requests have their turn.
      await turn()
      looked = 0
    }
    return entries
  }

  /** Sends what is due, as far as there are places. */
  async #send(): Promise<void> {
    const now = this.#now()
    let free = Math.min(mostRequests - this.#running.size, this.#pace.left)
    let freeOfDoubtful = mostDoubtful - this.#doubtful
    const freeOfHosts = new Map<string, number>()
    const chosen = new Map<Receiver, readonly Entry[]>()
    for (const receiver of this.#roster.all) {
      if (free <= 0) break
      if (!isDue(receiver, now) || (receiver.isDoubtful && freeOfDoubtful <= 0)) continue
      const due = receiver.isOn ? receiver.pending.due(now, mostJudged) : []
      if (receiver.isOn && due.length === 0) continue
      const { host } = receiver
      const freeOfHost = freeOfHosts.get(host) ?? this.#paceOf(host).left
      if (freeOfHost <= 0) continue
      freeOfHosts.set(host, freeOfHost - 1)
      chosen.set(receiver, due)
      free--
      if (receiver.isDoubtful) freeOfDoubtful--
    }
    const ids = [...chosen.keys()].filter(({ isOn }) => isOn).map(({ row }) => row.id)
    const events = [...new Set([...chosen.values()].flat().map(({ event }) => event))]
    const readable = await this.#rights.find(ids, events)
    // The statement may have taken longer than the lease.
    if (this.#isEnded || !this.#lease.isHeld) return
    for (const [receiver, due] of chosen) {
      if (!receiver.isOn) this.#run(receiver, "challenge")
      for (const entry of due) {
        if (receiver.sending) break
        if (readable.get(entry.event)?.get(receiver.row.id)?.(entry.list)) {
          receiver.pending.take(entry, now)
          this.#run(receiver, entry)
        } else {
          receiver.pending.drop(entry)
          this.#parts.outcomes.withdrawn++
        }
      }
    }
  }

  #paceOf(host: string): Pace {
    const pace = this.#paces.get(host) ?? new Pace(this.#now, toHost)
    this.#paces.set(host, pace)
    return pace
  }

  /** Sends one request, and takes up what comes of it. */
  #run(receiver: Receiver, sending: Entry | "challenge"): void {
    receiver.sending = sending
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

  async #post({ row, progress: { since } }: Receiver, sending: Entry | "challenge") {
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
      id: `msg_${sha256(`${id} ${about} ${body}`).slice(0, 32)}`,
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
    // Only who has a secret can sign: a server that returns what it gets does not.
    return judge(
      outcome,
      challenge === undefined ? undefined : signaturesOf({ ...message, body: challenge }),
    )
  }

  #finish(receiver: Receiver, attempt: ReturnType<typeof judge>): void {
    const { result } = attempt
    this.#parts.outcomes[result]++
    // It was removed, or another process has gone on.
    if (!this.#roster.has(receiver)) return
    const { random } = this.#parts
    const before = receiver.progress
    receiver.finish(attempt, { ...this.#moment(), settled: this.#settled, random })
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

function entryOf({ event, at: changed, seq, version }: Change, list: ListName): Entry {
  return { event, list, changed, seq, version }
}
