import fc from "fast-check"
import t from "tap"
import type { ChangesBehind, LoggedChange } from "../../../../core/change-log/changes-behind.ts"
import { type EventVersion, markRange } from "../../../../core/change-log/versions.ts"
import type { LiveList } from "../../../../plugins/capabilities/memory/live-list.ts"
import { LiveRecords, type Reach } from "../../../../plugins/capabilities/memory/live-records.ts"
import { Random } from "../../../support/random.ts"

/** A row of the log, without the key that its record has when it is read. */
type Row = Omit<LoggedChange, "key">
type Keys = ReadonlyMap<string, { readonly time: number; readonly version: number }>

/** What a snapshot sees. */
interface State {
  /** Every change that was ever committed. */
  readonly changes: ReadonlySet<Row>
  /** Those that have not been pruned, by number. */
  readonly log: ReadonlyMap<number, Row>
  readonly keys: Keys
  readonly epoch: string
}

interface Transaction {
  readonly rows: Row[]
  readonly keys: Map<string, { time: number; version: number } | undefined>
}

const ids = Array.from({ length: 6 }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`)

/** What rows of the log may name in place of the record. */
const named = {
  "usual": {},
  "without a name": { category: null, id: null },
  "with a wrong id": { id: "wrong" },
  "with a wrong category": { category: "guest" },
  "of another table": { category: "tickets" },
}
type Kind = keyof typeof named
const kinds = Object.keys(named) as Kind[]

/** An event's log on a server: transactions get numbers as they write, and commit in any order. */
class Log {
  state: State = { changes: new Set(), log: new Map(), keys: new Map(), epoch: "1" }
  readonly #random = new Random(7)
  readonly #open: Transaction[] = [{ rows: [], keys: new Map() }, { rows: [], keys: new Map() }]
  #last = 0

  write(who: number, id: string, time: number | undefined, kind: Kind = "usual"): void {
    // The other transaction has locked it.
    if (this.#open[1 - who]?.keys.has(id)) return
    const { rows, keys } = this.#open[who] as Transaction
    const mark = this.#random.below(2 ** 31) * 2 ** 20 + this.#random.below(2 ** 20)
    const isDeletion = time === undefined
    const row = {
      seq: ++this.#last,
      mark,
      isDeletion,
      ...{ category: "guests", id, ...named[kind] },
    }
    rows.push(row)
    if (["usual", "without a name", "with a wrong category"].includes(kind)) {
      keys.set(id, isDeletion ? undefined : { time, version: mark })
    }
  }

  commit(who: number): void {
    const { rows, keys } = this.#open[who] as Transaction
    const { changes, log, epoch } = this.state
    const present = new Map(this.state.keys)
    for (const [id, key] of keys) {
      if (key) present.set(id, key)
      else present.delete(id)
    }
    this.state = {
      changes: new Set([...changes, ...rows]),
      log: new Map([...log, ...rows.map((row) => [row.seq, row] as const)]),
      keys: present,
      epoch,
    }
    this.rollBack(who)
  }

  rollBack(who: number): void {
    this.#open[who] = { rows: [], keys: new Map() }
  }

  /** Forgets all rows but the newest few. */
  prune(left: number): void {
    const rows = [...this.state.log].toSorted(([a], [b]) => a - b)
    this.state = { ...this.state, log: new Map(rows.slice(Math.max(0, rows.length - left))) }
  }

  beginEpoch(): void {
    this.state = { ...this.state, epoch: `${Number(this.state.epoch) + 1}` }
  }

  /** Another server goes on from an earlier state, and hands out its numbers again. */
  failOver(earlier: State): void {
    for (const who of [0, 1]) this.rollBack(who)
    this.state = { ...earlier, epoch: this.state.epoch }
    this.#last = Math.max(0, ...[...earlier.changes].map(({ seq }) => seq))
  }
}

function versionOf({ changes, epoch }: State): EventVersion {
  const mark = [...changes].reduce((sum, { mark }) => (sum + mark) % markRange, 0)
  return { changes: changes.size, mark, epoch }
}

/** What an admission tells: the newest rows behind one, with the keys that their records have then. */
function changesBehind({ log, keys }: State, behind: number, most: number): ChangesBehind {
  const rows = [...log.values()].filter(({ seq }) => seq > behind)
    .toSorted((a, b) => b.seq - a.seq)
  const shown = rows.slice(0, most).map((row) => ({
    ...row,
    key: row.category === "guests" && row.id !== null ? keys.get(row.id) : undefined,
  }))
  return { rows: shown, isCut: rows.length > most }
}

/** The last row of the log. */
function newestOf({ log }: State): number {
  return Math.max(0, ...[...log.values()].map(({ seq }) => seq))
}

/** Lists that begin at a state: all guests are known but the oldest one, if `isPartial`. */
function listsOf(state: State, isPartial: boolean): LiveRecords {
  const records = new LiveRecords("event", { categories: ["guests"], filter: undefined })
  records.begin(versionOf(state), changesBehind(state, 0, 200))
  const rows = [...state.keys].map(([id, { time, version }]) => {
    return { id, time, version }
  }).toSorted((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
  const isCut = isPartial && rows.length > 1
  records.list("guests").extend(isCut ? rows.slice(0, -1) : rows, !isCut)
  return records
}

/** Returns what is wrong with the keys of lists, which should be those of a state. */
function differences(records: LiveRecords, { keys }: State): string | undefined {
  const list = records.list("guests")
  const tell = (all: readonly { id: string; time: number; version: number }[]) =>
    all.map(({ id, time, version }) => `${id} ${time} ${version}`).join("\n")
  const expected = [...keys].map(([id, key]) => ({ id, ...key }))
    .filter(({ id, time }) => list.isKnownAt([time, id]))
    .toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  const [got, wanted] = [tell(list.entries), tell(expected)]
  return got === wanted ? undefined : `the list is\n${got}\ninstead of\n${wanted}`
}

/** Returns what lists should not know any more. */
function leftOver(list: LiveList, added: ReadonlySet<Row>): string | undefined {
  if (
    list.entries.some(({ json, version }) => json !== undefined && json[0] !== String(version))
  ) {
    return "a record has changed, and its JSON is that of before"
  }
  const wasDeleted = [...added].some(({ category, isDeletion }) =>
    category === "guests" && isDeletion
  )
  return wasDeleted && list.vacancies ? "a record was deleted, and vacancies are known" : undefined
}

/** Returns what `reach` has to say of lists that are as of a state. */
function reachable(from: State, to: State, { rows }: ChangesBehind): Reach | "not reached" {
  if (from.epoch !== to.epoch) return "lost"
  const added = to.changes.difference(from.changes)
  const isSubset = from.changes.isSubsetOf(to.changes)
  if (isSubset && added.size === 0) return "reached"
  const told = new Set(rows.map(({ seq, mark }) => `${seq} ${mark}`))
  const areAllTold = [...added].every(({ seq, mark }) => told.has(`${seq} ${mark}`))
  const areNamed = [...added].every(({ category, id }) =>
    category === "tickets" || (category === "guests" && id !== "wrong")
  )
  if (isSubset && areAllTold && !areNamed) return "lost"
  if (isSubset && areAllTold) return "reached"
  if (to.changes.isSubsetOf(from.changes)) return "behind"
  return "not reached"
}

/** How often each step comes. */
const weights = {
  ...{ write: 20, commit: 12, "roll back": 2, prune: 2, "begin epoch": 1, "fail over": 1 },
  reach: 24,
}
const recent = fc.nat({ max: 6 })
const step = fc.record({
  do: fc.constantFrom(
    ...Object.entries(weights).flatMap(([name, weight]) =>
      Array<keyof typeof weights>(weight).fill(name as keyof typeof weights)
    ),
  ),
  who: fc.nat({ max: 1 }),
  id: fc.constantFrom(...ids),
  time: fc.option(fc.nat({ max: 4 }), { freq: 4, nil: undefined }),
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constant("usual" as const) },
    fc.constantFrom(...kinds),
  ),
  left: fc.nat({ max: 8 }),
  /** 0 for the present; others are what a server sees that is behind, or an admission of before. */
  ago: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, recent),
  behind: fc.constantFrom("oldest", "oldest", "former", "nothing"),
  most: fc.constantFrom(200, 200, 200, 2),
  isPartial: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Plays steps. @throws if lists have other keys than the state that they have reached, or could have reached one. */
function play(steps: readonly Step[], outcomes: Map<string, number>): void {
  const log = new Log()
  const states = [log.state]
  let at = log.state
  let records = listsOf(at, false)
  let former = 0
  for (const { do: what, who, id, time, kind, left, ago, behind, most, isPartial } of steps) {
    const state = states[Math.max(0, states.length - 1 - ago)] as State
    if (what !== "reach") {
      if (what === "write") log.write(who, id, time, kind)
      else if (what === "commit") log.commit(who)
      else if (what === "roll back") log.rollBack(who)
      else if (what === "prune") log.prune(left)
      else if (what === "begin epoch") log.beginEpoch()
      else log.failOver(state)
      states.push(log.state)
      continue
    }
    const { oldest } = records
    const from = { oldest, former, nothing: Infinity }[behind] ?? 0
    const changes = changesBehind(state, from, most)
    const expected = reachable(at, state, changes)
    const list = records.list("guests")
    list.vacancies = []
    for (const entry of list.entries) entry.json = [String(entry.version)]
    const reach = records.reach(versionOf(state), behind === "nothing" ? undefined : changes)
    outcomes.set(reach, (outcomes.get(reach) ?? 0) + 1)
    const added = state.changes.difference(at.changes)
    if (reach === "reached") at = state
    const problem = differences(records, at) ??
      (reach === "reached" ? leftOver(list, added) : undefined)
    if (problem) throw new Error(`${reach}: ${problem}`)
    const isRight = expected === "not reached" ? reach !== "reached" : reach === expected
    if (!isRight) throw new Error(`${reach} instead of ${expected}`)
    former = newestOf(at)
    if (reach !== "lost") continue
    at = log.state
    records = listsOf(at, isPartial)
  }
}

await t.test("reach brings lists to a version exactly if it is told all changes between, and their keys are then those of that version", (t) => {
  const outcomes = new Map<string, number>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => play(steps, outcomes)),
    { numRuns: 500 },
  )
  t.ok(Math.min(...outcomes.values()) > 20 && outcomes.size === 4, JSON.stringify([...outcomes]))
  t.end()
})

/**
 * A log with changes that lists follow, `every` so many, and an open one, which got its number behind `before` of them.
 * Lists begin behind `begin` of them.
 */
function followed(before: number, after: number, begin: number, every: number) {
  const log = new Log()
  let records = listsOf(log.state, false)
  for (let index = 0; index < before + after; index++) {
    if (index === before) log.write(0, ids[0] as string, 1)
    log.write(1, ids[1] as string, index)
    log.commit(1)
    if (index + 1 === begin) records = listsOf(log.state, false)
    if ((index + 1) % every !== 0) continue
    records.reach(versionOf(log.state), changesBehind(log.state, records.oldest, 200))
  }
  return { log, records }
}

const cases: Record<string, Parameters<typeof followed>> = {
  "behind one that came after it": [0, 1, 0, 1],
  "behind fifty that came after it": [0, 50, 0, 1],
  "of before the first one that lists know": [0, 2, 2, 1],
  "to lists that have followed hundreds": [400, 20, 0, 1],
  "to lists that began behind hundreds": [400, 20, 410, 1],
  "to lists that got the others in portions, newest first": [150, 90, 0, 80],
}
for (const [name, course] of Object.entries(cases)) {
  await t.test(`a change that commits late can be told: ${name}`, (t) => {
    const { log, records } = followed(...course)
    log.commit(0)
    const { state } = log
    const version = versionOf(state)
    t.equal(records.reach(version, changesBehind(state, newestOf(state), 200)), "missing")
    t.equal(records.reach(version, changesBehind(state, records.oldest, 200)), "reached")
    t.equal(differences(records, state), undefined)
    t.end()
  })
}
