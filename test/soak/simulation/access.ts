import { BlockList } from "node:net"
import { SessionHistory, type SessionRow } from "./session-history.ts"
import type { Tables } from "./tables.ts"
import type { Statement } from "./virtual/statements.ts"
import type { VirtualTime } from "./virtual/time.ts"

/** Whether something held at every moment, at none, or at some. */
export type Answer = "yes" | "no" | "maybe"

/** What a cookie or a token says: a session, and its account's epoch when it was made. */
export interface Key {
  readonly session: string
  /** The id of the account. */
  readonly account: string
  readonly epoch: number
}

interface Account {
  readonly id: string
  readonly username: string
  readonly role: string
  readonly viewer: number
  readonly disabled: number
  readonly epoch: number
}

interface Grant {
  readonly account_id: string
  readonly organization_id: string | null
  readonly event_id: string | null
  /** Unix seconds. */
  readonly ends: number | null
  readonly networks: string | null
}

interface Event {
  readonly id: string
  readonly organization_id: string
  readonly slug: string
}

/** What the tables said from a moment on. */
interface State {
  /** On the steady clock, in milliseconds. */
  readonly at: number
  readonly text: string
  /** By name. */
  readonly accounts: ReadonlyMap<string, Account>
  readonly grants: readonly Grant[]
  readonly events: ReadonlyMap<string, Event>
}

const queries = {
  accounts: `select id, username, role, viewer, disabled, epoch from account order by username`,
  grants:
    `select account_id, organization_id, event_id, ends, networks from access_grant order by id`,
  events: `select event.id, organization_id, slug from event
    join organization on organization.id = organization_id order by event.id`,
} as const

/** Statements that may change what they return, and ones that may change sessions. */
const changes =
  /^\s*(insert into|replace into|update|delete from) "?(account|access_grant|event|organization)"?\s/i
const sessionChanges = /^\s*(insert into|replace into|update|delete from) "?session"?\s/i

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Who may read what, and could: the tables of accounts, grants and events as they were at each moment, read with
 * statements of its own.
 */
export class Access {
  readonly #time: VirtualTime
  readonly #tables: Tables
  #mayHaveChanged = false
  /** The ids of sessions that may have changed. */
  readonly #touched = new Set<string>()
  readonly #sessions = new SessionHistory()
  /** Oldest first. */
  readonly #states: State[] = []

  constructor(time: VirtualTime, tables: Tables) {
    this.#time = time
    this.#tables = tables
  }

  /** Is called with each statement that has taken effect. */
  follow({ sql, parameters }: Pick<Statement, "sql" | "parameters">): void {
    const isEnd = /^(commit|rollback)$/.test(sql)
    const changesRights = changes.test(sql)
    if (changesRights || (isEnd && this.#mayHaveChanged)) this.#read()
    this.#mayHaveChanged = changesRights || (this.#mayHaveChanged && !isEnd)
    if (sessionChanges.test(sql)) {
      for (const each of parameters) {
        if (typeof each === "string" && uuid.test(each)) this.#touched.add(each)
      }
    } else if (!isEnd) return
    if (this.#touched.size === 0) return
    this.#sessions.read(this.#tables, this.#time.steady, [...this.#touched])
    if (isEnd) this.#touched.clear()
  }

  /** Reads all tables. Whoever changes them in another way than by statements, as a restore does, calls it right after. */
  refresh(): void {
    this.#tables.close()
    this.#read()
    this.#sessions.read(this.#tables, this.#time.steady)
  }

  #read(): void {
    const rows = <T>(name: keyof typeof queries) => this.#tables.all<T>(queries[name])
    const [accounts, grants, events] = [
      rows<Account>("accounts"),
      rows<Grant>("grants"),
      rows<Event>("events"),
    ]
    const text = JSON.stringify([accounts, grants, events])
    if (this.#states.at(-1)?.text === text) return
    const known = this.#states.at(-1)?.accounts
    this.#states.push({
      at: this.#time.steady,
      text,
      accounts: new Map(accounts.map((account) => [account.username, account])),
      grants,
      events: new Map(events.map((event) => [event.id, event])),
    })
    // The sessions of an account go with it.
    if (known && known.size > accounts.length) this.#sessions.read(this.#tables, this.#time.steady)
  }

  /**
   * Returns whether an account, by its name or its id, could read an event from one moment to another, both included, on
   * the steady clock in milliseconds: it is enabled, is no viewer, and has a grant that counts for that address. Families,
   * limits and sessions are others' to know.
   */
  mayRead(account: string, event: string, from: number, to: number, address = "127.0.0.1"): Answer {
    return this.#always(from, to, (state, from, to) => {
      const known = accountOf(state, account)
      const wanted = state.events.get(event)
      if (!known || known.disabled || known.viewer || !wanted) return "no"
      const now = this.#time.wallBetween(from, to)
      return any(state.grants.flatMap((grant) => {
        const isOfEvent = grant.event_id === event ||
          grant.organization_id === wanted.organization_id
        return grant.account_id === known.id && isOfEvent && isWithin(grant.networks, address)
          ? isAfter(grant.ends ?? Infinity, now)
          : []
      }))
    })
  }

  /**
   * Returns whether a session counted from one moment to another, both included. `idle` is the setting: seconds, or 0.
   * Whether a service can read the cookie is another question.
   */
  mayUse({ session, account, epoch }: Key, from: number, to: number, idle: number): Answer {
    const ofAccount = this.#always(from, to, (state) => {
      const known = accountOf(state, account)
      return known && !known.disabled && known.epoch === epoch ? "yes" : "no"
    })
    const versions = this.#sessions.versionsOf(session)
    const ofSession = over(versions, from, to, ({ row }, from, to) => {
      if (!row || row.account_id !== account) return "no"
      if (row.reason !== null && row.reason !== "replaced") return "no"
      const now = this.#time.wallBetween(from, to)
      const counts = isAfter(row.expires, now)
      if (idle === 0 || row.lasting) return counts
      return both(counts, isAfter((row.used ?? row.created) + idle, now))
    })
    return both(ofAccount, ofSession)
  }

  /** The row of a session, as it is now; undefined if there is none. */
  session(id: string): SessionRow | undefined {
    return this.#sessions.versionsOf(id).at(-1)?.row
  }

  /** The account of a name, as it is now; undefined if there is none. */
  account(name: string): Account | undefined {
    return this.#states.at(-1)?.accounts.get(name)
  }

  /** The name that an account had last, by its id; undefined if there never was such an account. */
  nameOf(id: string): string | undefined {
    const known = this.#states.findLast((state) => accountOf(state, id))
    return known && accountOf(known, id)?.username
  }

  /** The grants of an account, by its name, as they are now: those that have ended as well. */
  grantsOf(name: string): readonly Grant[] {
    const { id } = this.account(name) ?? {}
    return this.#states.at(-1)?.grants.filter(({ account_id }) => account_id === id) ?? []
  }

  /** The slug of the organization that an event was of last; undefined if there never was such an event. */
  organizationOf(event: string): string | undefined {
    return this.#states.findLast(({ events }) => events.has(event))?.events.get(event)?.slug
  }

  #always(
    from: number,
    to: number,
    ask: (state: State, from: number, to: number) => Answer,
  ): Answer {
    return over(this.#states, from, to, ask)
  }
}

function accountOf({ accounts }: State, nameOrId: string): Account | undefined {
  const named = accounts.get(nameOrId)
  return named ?? accounts.values().find(({ id }) => id === nameOrId)
}

/** Asks about each of what held at some moment between two, both included; the oldest is first in the list. */
function over<T extends { readonly at: number }>(
  states: readonly T[],
  from: number,
  to: number,
  ask: (state: T, from: number, to: number) => Answer,
): Answer {
  const answers: Answer[] = []
  let end = Infinity
  for (let index = states.length - 1; index >= 0 && end >= from; index--) {
    const state = states[index] as T
    if (state.at <= to) answers.push(ask(state, Math.max(from, state.at), Math.min(to, end)))
    end = state.at
  }
  return all(answers)
}

/** Returns whether a time in Unix seconds was still to come. */
function isAfter(time: number, now: { readonly least: number; readonly most: number }): Answer {
  if (time > Math.floor(now.most / 1000)) return "yes"
  return time > Math.floor(now.least / 1000) ? "maybe" : "no"
}

function isWithin(networks: string | null, address: string): boolean {
  if (networks === null) return true
  const list = new BlockList()
  for (const network of networks.split(",")) {
    const [base = "", bits = ""] = network.split("/")
    list.addSubnet(base, Number(bits), base.includes(":") ? "ipv6" : "ipv4")
  }
  return list.check(address, address.includes(":") ? "ipv6" : "ipv4")
}

function all(answers: readonly Answer[]): Answer {
  if (answers.length > 0 && answers.every((answer) => answer === "yes")) return "yes"
  return answers.every((answer) => answer === "no") ? "no" : "maybe"
}

function any(answers: readonly Answer[]): Answer {
  if (answers.includes("yes")) return "yes"
  return answers.includes("maybe") ? "maybe" : "no"
}

/** Returns whether two things held at once. */
function both(one: Answer, other: Answer): Answer {
  if (one === "no" || other === "no") return "no"
  return one === "yes" && other === "yes" ? "yes" : "maybe"
}
