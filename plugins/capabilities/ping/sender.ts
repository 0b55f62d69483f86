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

/** The parts that a sender works with. */
export interface SenderParts extends Pick<CapabilityHost, "database" | "nodes" | "plan"> {
  readonly log: Log
  readonly poster: Pick<Poster, "post">
  /** Milliseconds between two reads of the change log, and between two steps. */
  readonly every?: number | undefined
  /** A unique name. */
  readonly owner: string
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  readonly random?: () => number
  /** Called when a step is due before the pause ends. */
  readonly wake?: () => void
  /** The process's counts so far, to which the sender adds. */
  readonly outcomes: Record<Result, number>
}

/** How pings and challenges ended, and how many wait. */
export interface SenderNumbers {
  /** By `delivered`, `failed`, `gone`; `withdrawn` if the account may no longer read the list. */
  readonly outcomes: Readonly<Record<Result, number>>
  readonly waiting: number
  readonly running: number
}

type Result = "delivered" | "failed" | "gone" | "withdrawn"

/** Returns the counts of a process that has sent nothing. */
export const noOutcomes = () => ({ delivered: 0, failed: 0, gone: 0, withdrawn: 0 })

/** The most concurrent requests. */
const mostRequests = 64

/** The most concurrent requests to receivers that failed last time, and so may hang. */
const mostDoubtful = 8

/** Milliseconds between two exchanges with the table of receivers. */
const refreshing = 2000

/** Milliseconds until a process without the lease checks again. */
const usualIdle = 5000

/** The least milliseconds between two steps. */
const shortest = 20

const lists = ["guests", "items", "events"] as const

/** The most changes whose readers are looked up together. */
const mostChanges = 100

/**
 * Sends pings and challenges, step by step, while this process holds the lease. Marks the changes from the tail of the
 * log in memory, by receiver and list. The next process with the lease marks what has changed since the lease's note
 * or, for a receiver that failed, since its failure.
 */
export class Sender {
  readonly #parts: SenderParts
  readonly #now: () => number
  readonly #every: number
  readonly #idle: number
  readonly #lease: PingLease
  readonly #rights: Rights
  readonly #pace: Pace
  /** The pace for each host that was sent something lately. */
  readonly #paces = new Map<string, Pace>()
  readonly #running = new Set<Promise<void>>()
  /** How many of these go to receivers that may hang. */
  #doubtful = 0
  #roster!: Roster
  /** The tail of the log on the primary. The sender subscribes to it while there are receivers. */
  #tail!: Tail
  #listening: Disposable | undefined
  #listensSince = Infinity
  /** Results of the tail that have not been marked yet, with their times. */
  #found: (TailResult & { readonly at: number })[] = []
  /** The log number up to which all changes have been marked. */
  #settled: number | undefined
  #refreshAt = 0
  /** False until the receivers have been read in this term of the lease. */
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

  /** True while this process is the sender. */
  get isActive(): boolean {
    return this.#isActive && this.#lease.isHeld
  }

  /**
   * Does what is due. Returns the milliseconds until the next step. Steps must not overlap.
   * @throws as the database does; the next step continues.
   */
  async step(): Promise<number> {
    if (this.#isEnded) return this.#idle
    // A new primary may lack changes that the former one reported, and the note about them.
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

  /** Stops sending, and lets another process take over once the running requests have ended. Never throws. */
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

  /** Forgets everything: another process may have sent in the meantime. */
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

  /** Writes how far receivers are behind, then what all others have been told about. */
  async #write(): Promise<void> {
    await this.#roster.write()
    if (this.#settled === undefined) return
    let noted = this.#settled
    for (const { row, first } of this.#roster.all) {
      if (row.sent_seq === 0) noted = Math.min(noted, first - 1)
    }
    await this.#lease.note(noted)
  }

  /** Writes and reads the receivers, and finds out from where to read the log for new ones. */
  async #refresh(): Promise<void> {
    await this.#write()
    const added = await this.#roster.refresh(() => this.#moment())
    const { noted } = this.#lease
    for (const receiver of added) {
      const { sent_seq } = receiver.row
      if (sent_seq !== 0) receiver.since = sent_seq
      else if (receiver.isOn && !this.#isRefreshed) receiver.since = noted ?? undefined
      // Its account was disabled for a while, or its waiting pings were lost.
      else if (receiver.isOn) receiver.markAll()
    }
    this.#isRefreshed = true
  }

  /**
   * Marks the changes from the tail, and those that receivers are behind with, once all servers that answer polls have
   * them, so that a poll after a ping finds them. Whatever catching up reads beyond that, the tail reports as well.
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

  /** Marks the changes about which receivers that are behind have not been told. */
  async #catchUp(): Promise<void> {
    const behind = this.#roster.all.filter(({ since }) => since !== undefined)
    for (const receiver of behind) {
      // The number dates from before the log was emptied, or from a primary with more changes.
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

  /** Marks changes for the receivers that may know about them. @throws as the database does. */
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
      // Let requests run in between.
      await turn()
    }
  }

  /** Sends what is due, as far as the limits allow. */
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

  /** Sends one request and applies its outcome. */
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
    // Signing requires the secret, so a server that echoes requests does not pass.
    return judge(
      outcome,
      challenge === undefined ? undefined : signaturesOf({ ...message, body: challenge }),
    )
  }

  #finish(receiver: Receiver, attempt: ReturnType<typeof judge>): void {
    const { result } = attempt
    this.#parts.outcomes[result]++
    // The receiver was removed, or another process sends now.
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
