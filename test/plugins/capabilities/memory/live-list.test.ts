import fc from "fast-check"
import t from "tap"
import { walkLifetime } from "../../../../core/change-log/walk-lifetime.ts"
import { cutParts } from "../../../../plugins/capabilities/memory/cut-page.ts"
import type { LiveList, Vacancy } from "../../../../plugins/capabilities/memory/live-list.ts"
import { LiveLists } from "../../../../plugins/capabilities/memory/live-lists.ts"
import { LiveRecords } from "../../../../plugins/capabilities/memory/live-records.ts"
import { leanGuest } from "../../../../core/records/kinds/lean.ts"
import type { PageRequest, Position } from "../../../../core/records/lists/page.ts"

interface Key {
  readonly id: string
  readonly time: number
  readonly version: number
}

/** Few ids and few times: most keys tie with another. */
const ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
const times = { min: 0, max: 4 }
const now = 1_000_000

const newestFirst = (a: Pick<Key, "time" | "id">, b: Pick<Key, "time" | "id">) =>
  b.time - a.time || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** A table with a list of it in memory, of which a part is known. */
class World {
  readonly records: LiveRecords
  readonly list: LiveList
  readonly rows = new Map<string, Key>()
  readonly vacancies: Vacancy[] = []
  #versions = 0

  constructor(event = "event") {
    this.records = new LiveRecords(event, { categories: ["guests"], filter: undefined })
    this.list = this.records.list("guests")
  }

  /** All records of the table, newest first. */
  get all(): Key[] {
    return [...this.rows.values()].sort(newestFirst)
  }

  /** The records that the list should know, newest first. */
  get known(): Key[] {
    return this.all.filter(({ time, id }) => this.list.isKnownAt([time, id]))
  }

  change(id: string, time: number): void {
    const row = { id, time, version: ++this.#versions }
    this.rows.set(id, row)
    this.list.set(id, row)
  }

  /** Deletes a record, which keeps its place. */
  delete(id: string, age: number): void {
    const row = this.rows.get(id)
    this.rows.delete(id)
    this.list.set(id, undefined)
    if (row) this.vacancies.push({ id, time: row.time, at: now - age })
    this.list.vacancies = undefined
  }

  /** Reads what follows. */
  extend(most: number): void {
    const { floor } = this.list
    if (!floor) return
    const [time, id] = floor
    const rest = this.all.filter((row) => newestFirst({ time, id }, row) < 0).slice(0, most)
    this.list.extend(rest, rest.length < most)
  }

  readVacancies(): void {
    this.list.vacancies = this.vacancies.toSorted(newestFirst)
  }
}

const step = fc.record({
  do: fc.constantFrom(
    ...Array<string>(6).fill("change"),
    ...["delete", "delete", "delete", "extend", "extend", "vacancies", "vacancies"],
  ),
  id: fc.constantFrom(...ids),
  time: fc.integer(times),
  age: fc.constantFrom(walkLifetime, walkLifetime + 1),
  most: fc.integer({ min: 1, max: 5 }),
})

const worlds = fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
  const world = new World()
  for (const { do: what, id, time, age, most } of steps) {
    if (what === "change") world.change(id, time)
    else if (what === "delete") world.delete(id, age)
    else if (what === "extend") world.extend(most)
    else world.readVacancies()
  }
  return world
})

const since = fc.integer({ min: times.min - 1, max: times.max + 1 })
const limit = fc.integer({ min: 1, max: 5 })

/** A text that is the same for the same keys in the same order. */
const tell = (rows: readonly Key[]) =>
  JSON.stringify(rows.map(({ id, time, version }) => [id, time, version]))

await t.test("a LiveList has the keys of the table down to its floor, in order, whatever changes", (t) => {
  fc.assert(
    fc.property(worlds, ({ list, known }) => {
      if (tell(list.entries.toReversed()) !== tell(known)) throw new Error("other keys")
    }),
    { numRuns: 500 },
  )
  t.end()
})

/** Cuts a page of guests as `LivePages` does. */
function cut({ records }: World, page: Partial<PageRequest>) {
  const request = { since: -1, offset: 0, limit: 1, terms: [], ...page }
  return cutParts(records, { guests: leanGuest }, request, now)
}

await t.test("cutParts cuts at an offset as positions are counted: existing and deleted records together, newest first", (t) => {
  const outcomes = { cut: 0, vacancies: 0, keys: 0 }
  const offset = fc.integer({ min: 0, max: 10 })
  fc.assert(
    fc.property(worlds, since, limit, offset, (world, since, limit, offset) => {
      const { list, all, vacancies } = world
      const found = cut(world, { since, limit, offset })
      if (!found) throw new Error("an offset is never too far behind")
      const [shortage] = found.shortages
      if (shortage) {
        outcomes[shortage.vacancies ? "vacancies" : "keys"]++
        if (shortage.vacancies !== (offset > 0 && !list.vacancies)) throw new Error("vacancies")
        if (!shortage.vacancies && !list.floor) throw new Error("all keys are known")
        return
      }
      outcomes.cut++
      const gone = vacancies.filter(({ time, at }) => time >= since && at >= now - walkLifetime)
      const rest = all.filter(({ time }) => time >= since).filter((row, rank) =>
        rank + gone.filter((each) => newestFirst(each, row) < 0).length >= offset
      )
      const expected = rest.slice(0, limit)
      const [part] = found.parts
      const got = part?.entries.toReversed().map(({ id }) => id).join("")
      if (got !== expected.map(({ id }) => id).join("")) {
        throw new Error(`${got} at offset ${offset}`)
      }
      if (Boolean(part?.next) !== rest.length > limit) throw new Error("next")
    }),
    { numRuns: 1000 },
  )
  t.ok(Math.min(...Object.values(outcomes)) > 20, JSON.stringify(outcomes))
  const world = new World()
  for (const id of ["a", "b", "c"]) world.change(id, 1)
  world.extend(5)
  world.delete("c", walkLifetime)
  world.readVacancies()
  const { entries } = cut(world, { offset: 1, limit: 5 })?.parts[0] ?? {}
  t.equal(entries?.length, 2, "a walk may have begun that long ago")
  t.end()
})

await t.test("cutParts goes on behind a position if the list is known there, and exactly if all that it needs is known", (t) => {
  const position = fc.tuple(fc.integer(times), fc.constantFrom(...ids)) as fc.Arbitrary<Position>
  let cuts = 0
  fc.assert(
    fc.property(worlds, since, limit, position, (world, since, limit, [time, id]) => {
      const { list, all, known } = world
      const found = cut(world, { since, limit, after: { guests: [time, id] } })
      const isFar = list.floor !== undefined &&
        newestFirst({ time: list.floor[0], id: list.floor[1] }, { time, id }) < 0
      if (isFar !== !found) throw new Error("far")
      if (!found) return
      const rest = all.filter((row) => row.time >= since && newestFirst({ time, id }, row) < 0)
      // One more says whether there is a next page.
      const needed = rest.slice(0, limit + 1)
      const isKnown = needed.every((row) => known.includes(row)) &&
        (needed.length > limit || !list.floor || list.floor[0] < since)
      const [part] = found.parts
      if (Boolean(part) !== isKnown) throw new Error(`known: ${isKnown}`)
      if (!part) return
      cuts++
      const expected = rest.slice(0, limit)
      if (tell(part.entries.toReversed()) !== tell(expected)) throw new Error("other records")
      const last = expected.at(-1)
      const next = rest.length > limit && last ? [last.time, last.id] : undefined
      if (JSON.stringify(part.next) !== JSON.stringify(next)) throw new Error("another next")
    }),
    { numRuns: 1000 },
  )
  t.ok(cuts > 50, `${cuts} pages`)
  t.end()
})

await t.test("a LiveList counts the texts of its records, and none of a record that has changed or is gone", (t) => {
  const world = new World()
  const { list } = world
  world.extend(1)
  for (const id of ["a", "b", "c"]) world.change(id, 1)
  const [one, other, third] = list.entries
  for (const entry of list.entries) list.keep(entry, "json", 0, "{}")
  const each = list.textBytes / 3
  if (one) list.keep(one, "searched", 1, "ab")
  t.equal(list.textBytes, 4 * each)
  world.change("a", 2)
  t.equal(list.textBytes, 2 * each)
  if (one) list.keep(one, "json", 1, "{}")
  t.equal(list.textBytes, 2 * each, "it came too late")
  world.delete("b", 0)
  t.equal(list.textBytes, each)
  list.forgetTexts()
  t.equal(list.textBytes, 0)
  t.strictSame([other?.id, third?.json], ["b", undefined])
  t.end()
})

await t.test("LiveLists counts lists that have grown, and drops those that were not read for the longest time", (t) => {
  const lists = new LiveLists(20_000)
  const [old, grown] = [new World("old"), new World("grown")]
  for (const { records } of [old, grown]) lists.keep(records)
  grown.extend(1)
  for (let n = 0; n < 55; n++) grown.list.set(`${n}`, { time: n, version: n })
  t.equal(lists.get(old.records.name), old.records)
  t.equal(lists.get(grown.records.name), grown.records)
  lists.keep(grown.records)
  t.equal(lists.get(old.records.name), undefined)
  t.end()
})
