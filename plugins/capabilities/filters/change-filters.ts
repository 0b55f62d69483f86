import { setTimeout } from "node:timers/promises"
import type { Insertable, Kysely } from "kysely"
import { type CapabilityHost, type Database, RetryLog } from "../../../core/capability.ts"
import {
  filterNamed,
  type Follow,
  isChosen,
  nameOfFilter,
  wasChosen,
} from "../../../core/filters.ts"
import type { GuestFilter } from "../../../core/plugin.ts"
import type { Schema } from "../../../core/tables.ts"
import { freshFor } from "./in-force.ts"
import { type ListOfGuests, nameOfList, readFilters } from "./lists-of-guests.ts"

/** The guests of an organization's events in one list, whose filter is another than before. */
interface FilterChange {
  readonly scope: string
  readonly organization: string
  readonly former: GuestFilter | undefined
  readonly next: GuestFilter | undefined
  /** True if the list had a filter at any time. */
  readonly narrowed: boolean
}

/**
 * Makes the filters of lists those that the database notes. Call it right before they come into force: what a list
 * loses is a deletion of now, and nobody may be answered by the former filters for longer than clients are kept behind.
 * If another process has done it, only calls `open`. @throws as `open` and the database do; nothing has changed then.
 */
export async function settleFilters(
  database: Database,
  lists: readonly ListOfGuests[],
  { open, log, draining, every }: Pick<CapabilityHost, "log" | "draining" | "every"> & {
    readonly open: () => Promise<void>
  },
): Promise<Follow> {
  const before = await readFilters(database.writer)
  const others = lists.filter((list) =>
    before.get(nameOfList(list))?.filter !== nameOfFilter(list.next)
  )
  for (const list of others) {
    const row = before.get(nameOfList(list))
    if (row && row.former !== null) await finishChange(database, row)
  }
  const pending = new Set<Row>()
  const apply = async (rows: Filters) => {
    for (const list of lists) {
      const row = rows.get(nameOfList(list))
      // What left the list while it had a filter stays as it was told.
      if (row?.narrowed === 1) list.gone.filter ??= { ...everyone, scope: list.scope }
      if (row && row.former !== null) pending.add(row)
    }
    await open()
  }
  if (others.length === 0) await apply(before)
  else await changeAll(database, others, { known: before, apply })
  const attempts = new RetryLog(() => log, {
    failed: "what lists gain by another filter cannot be made a change now",
  })
  /** Does something for all, however often a lock is in the way. A restart does what is left. */
  const insist = async (step: (row: Row) => Promise<void>) => {
    for (const row of pending) {
      while (!draining.aborted) {
        const error = await step(row).then(() => undefined, (error: unknown) => error)
        if (error === undefined) break
        attempts.failed(error)
        await setTimeout(1000, undefined, { ref: false })
      }
    }
  }
  return async (alone) => {
    await insist((row) => gainGuests(database, row))
    await alone
    // Until then, other processes may answer by the former filter.
    if (pending.size > 0) await setTimeout(freshFor({ every }))
    await insist((row) => finishChange(database, row))
  }
}

/** How many guests a list of an event would lose and gain. */
export interface FilterEffect {
  readonly scope: string
  readonly event: string
  readonly lost: number
  readonly gained: number
}

/** Counts what the filters of lists would change, where that is anything. Writes nothing. */
export async function countEffects(
  { writer }: Pick<Database, "writer">,
  lists: readonly ListOfGuests[],
): Promise<FilterEffect[]> {
  const effects: FilterEffect[] = []
  const rows = await readFilters(writer)
  for (const { scope, organization, next } of lists) {
    const row = rows.get(nameOfList({ scope, organization }))
    if (!row || row.filter === nameOfFilter(next)) continue
    const former = filterNamed(row.filter, scope)
    for (const { id, name } of await eventsOf(writer, organization)) {
      const { lost, gained } = differenceOf(await readGuests(writer, id), { former, next })
      if (lost.length + gained.length === 0) continue
      effects.push({ scope, event: name, lost: lost.length, gained: gained.length })
    }
  }
  return effects
}

type Filters = Awaited<ReturnType<typeof readFilters>>
type Row = Filters extends ReadonlyMap<string, infer R> ? R : never

/** Notes the lists that are new. In a database of version 1, they may all have been there, without filters. */
async function noteNew(
  db: Kysely<Schema>,
  { dialect, known, lists }: {
    readonly dialect: Database["dialect"]
    readonly known: Filters
    readonly lists: readonly ListOfGuests[]
  },
): Promise<void> {
  const isOld = known.has(" ")
  for (const { scope, organization, next } of lists) {
    if (known.has(nameOfList({ scope, organization }))) continue
    const filter = isOld ? "" : nameOfFilter(next)
    const row = { scope, organization, filter, at: 0, narrowed: Number(filter !== "") }
    await dialect.orUpdate(
      db.insertInto("list_filter").values({ ...row, former: null }),
      ["scope", "organization"],
      { scope },
    ).execute()
  }
  if (isOld) await db.deleteFrom("list_filter").where("scope", "=", "").execute()
}

/**
 * Changes the filters of lists and applies all filters, or changes none: the service would refuse the guests of those
 * that are not as it says.
 */
async function changeAll(
  { writer, dialect }: Database,
  lists: readonly ListOfGuests[],
  { known, apply }: {
    /** What the lists had, to tell those that are new. */
    readonly known: Filters
    readonly apply: (rows: Filters) => Promise<void>
  },
): Promise<void> {
  const inOrder = lists.toSorted((a, b) => nameOfList(a) < nameOfList(b) ? -1 : 1)
  await writer.transaction().execute(async (db) => {
    await noteNew(db, { dialect, known, lists: inOrder })
    // Changes nothing, but locks them, in one order, before anything is read.
    for (const list of inOrder) {
      await rowOf(db, list).set({ scope: list.scope }).execute()
    }
    const { now } = await db.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
    for (const list of lists) await change(db, list, now)
    await apply(await readFilters(db))
  })
}

function rowOf(
  db: Kysely<Schema>,
  { scope, organization }: Pick<ListOfGuests, "scope" | "organization">,
) {
  return db.updateTable("list_filter")
    .where("scope", "=", scope).where("organization", "=", organization)
}

/** Changes the filter of a list, if it has another. What it loses is deleted for its readers, now; former deletions stay. */
async function change(
  db: Kysely<Schema>,
  { scope, organization, next }: Pick<FilterChange, "scope" | "organization" | "next">,
  now: number,
): Promise<void> {
  const name = nameOfFilter(next)
  const { filter = name, narrowed = 0 } =
    (await readFilters(db)).get(nameOfList({ scope, organization })) ?? {}
  if (filter === name) return
  const former = filterNamed(filter, scope)
  const changed = { scope, organization, former, next, narrowed: narrowed === 1 }
  for (const { id } of await eventsOf(db, organization)) {
    const guests = await readGuests(db, id)
    await insertAll(db, await keepDeletions(db, { changed, event: id, guests, now }))
    const { lost } = differenceOf(guests, changed)
    await insertAll(db, lost.map((guest) => lostRow(scope, id, guest)))
  }
  const isNarrowed = narrowed === 1 || name !== "" ? 1 : 0
  await rowOf(db, { scope, organization })
    .set({ filter: name, former: filter, at: now, narrowed: isNarrowed }).execute()
}

/** Makes what a list has gained a change, one after the other, so that no writer of two guests is in the way of this. */
async function gainGuests({ background }: Database, row: Row): Promise<void> {
  const { scope, organization, at } = row
  for (const { id } of await eventsOf(background, organization)) {
    const done = await background.selectFrom("departure").select("record_id")
      .where("event_id", "=", id).where("at", ">=", at).where("scope", "=", scope)
      .where("kind", "=", "gained").execute()
    const isDone = new Set(done.map(({ record_id }) => record_id))
    const { gained } = differenceOf(await readGuests(background, id), changeOf(row))
    for (const guest of gained) {
      if (isDone.has(guest.id)) continue
      const gain = { ...lostRow(scope, id, guest), updated: null, kind: "gained" } as const
      await background.insertInto("departure").values(gain).execute()
    }
  }
}

/** Ends a change: what was changed meanwhile may have been sent by the former filter. */
async function finishChange(database: Database, row: Row): Promise<void> {
  await gainGuests(database, row)
  const { scope, organization, at } = row
  await database.background.transaction().execute(async (db) => {
    for (const { id } of await eventsOf(db, organization)) {
      const guests = await readGuests(db, id)
      const { lost } = differenceOf(guests, changeOf(row))
      const told = await readTold(db, row, id)
      // Not by its time alone: a transaction may have begun before the change.
      const changed = lost.filter((guest) =>
        guest.updated >= at || told.get(guest.id) !== guest.updated
      )
      await insertAll(db, changed.map((guest) => lostRow(scope, id, guest)))
      await insertAll(db, await findLeft(db, row, id, guests))
    }
    await db.updateTable("list_filter").set({ former: null })
      .where("scope", "=", scope).where("organization", "=", organization)
      .where("filter", "=", row.filter).execute()
  })
}

/** Reads whom an event has lost by a change so far, with the time of each guest's own last change until then. */
async function readTold(db: Kysely<Schema>, { scope, at }: Row, event: string) {
  const rows = await db.selectFrom("departure").select(["record_id", "updated"])
    .where("event_id", "=", event).where("at", ">=", at).where("scope", "=", scope)
    .where("kind", "=", "lost").orderBy("seq").execute()
  return new Map(rows.map(({ record_id, updated }) => [record_id, updated]))
}

/** Returns what tells of those who have come and gone meanwhile by the former filter: the next one knows nothing of them. */
async function findLeft(
  db: Kysely<Schema>,
  row: Row,
  event: string,
  guests: readonly Guest[],
): Promise<DepartureRow[]> {
  const { scope, at } = row
  const { former = everyone, next = everyone } = changeOf(row)
  const rows = await db.selectFrom("departure").selectAll()
    .where("event_id", "=", event).where("at", ">=", at).where("scope", "=", "")
    // Of the second of the change, there are rows from before it, which the former filter may have had hidden.
    .where("seq", ">", (eb) =>
      eb.fn.coalesce(
        eb.selectFrom("departure as hiding").select((own) => own.fn.max("hides").as("hides"))
          .whereRef("hiding.event_id", "=", "departure.event_id")
          .whereRef("hiding.record_id", "=", "departure.record_id")
          .where("hiding.scope", "=", scope),
        eb.lit(0),
      ))
    .execute()
  const present = new Set(guests.filter((guest) => isChosen(next, guest)).map(({ id }) => id))
  const left = Map.groupBy(rows, ({ record_id }) => record_id).entries().filter(([id, own]) =>
    !present.has(id) && own.some((each) => wasChosen(former, each)) &&
    !own.some((each) => wasChosen(next, each))
  )
  return left.map(([id]) => lostRow(scope, event, { id, updated: null })).toArray()
}

const everyone: GuestFilter = { kind: "everyone", channel: "" }

function changeOf({ scope, filter, former }: Row): Pick<FilterChange, "former" | "next"> {
  return { former: filterNamed(former ?? "", scope), next: filterNamed(filter, scope) }
}

type DepartureRow = Insertable<Schema["departure"]>

type Guest = Awaited<ReturnType<typeof readGuests>>[number]

async function eventsOf(db: Kysely<Schema>, organization: string) {
  return await db.selectFrom("event")
    .innerJoin("organization", "organization.id", "event.organization_id")
    .select(["event.id", "event.name"]).where("organization.slug", "=", organization)
    .orderBy("event.id").execute()
}

/** Reads all guests of an event with their consents. */
async function readGuests(db: Kysely<Schema>, eventId: string) {
  return await db.selectFrom("guest")
    .leftJoin("consent", (join) =>
      join.onRef("consent.event_id", "=", "guest.event_id")
        .onRef("consent.guest_id", "=", "guest.id"))
    .select(["guest.id", "guest.updated", "consent.status", "consent.channels"])
    .where("guest.event_id", "=", eventId).execute()
}

function differenceOf(
  guests: readonly Guest[],
  { former, next }: Pick<FilterChange, "former" | "next">,
): { readonly lost: readonly Guest[]; readonly gained: readonly Guest[] } {
  const were = guests.filter((guest) => isChosen(former, guest))
  const are = guests.filter((guest) => isChosen(next, guest))
  return {
    lost: were.filter((guest) => !isChosen(next, guest)),
    gained: are.filter((guest) => !isChosen(former, guest)),
  }
}

/** A trigger makes it a change of the moment at which it is inserted. */
function lostRow(
  scope: string,
  event_id: string,
  { id: record_id, updated }: Pick<Guest, "id"> & { readonly updated: number | null },
) {
  return { event_id, record_id, at: 0, updated, kind: "lost", scope } as const
}

/**
 * Returns what keeps the deletions of a list as its former filter told them: those that only the next one would tell
 * are hidden, and those that only the former one told are kept.
 */
async function keepDeletions(
  db: Kysely<Schema>,
  { changed: { scope, former, next, narrowed }, event, guests, now }: {
    readonly changed: FilterChange
    readonly event: string
    readonly guests: readonly Guest[]
    readonly now: number
  },
): Promise<DepartureRow[]> {
  const rows = await db.selectFrom("departure").selectAll()
    .where("event_id", "=", event).where("scope", "in", ["", scope]).orderBy("seq").execute()
  const byGuest = Map.groupBy(rows, ({ record_id }) => record_id)
  const present = new Map(guests.map((guest) => [guest.id, guest]))
  const toldBy = (filter: GuestFilter | undefined, id: string): number | undefined => {
    const guest = present.get(id)
    if (guest && isChosen(filter, guest)) return undefined
    const own = byGuest.get(id) ?? []
    const hidden = Math.max(0, ...own.map(({ hides }) => hides ?? 0))
    const counted = own.filter((row) =>
      row.seq > hidden &&
      (row.scope === "" ? wasChosen(filter ?? everyone, row) : row.kind === "lost")
    )
    return counted.length === 0 ? undefined : Math.max(...counted.map(({ at }) => at))
  }
  const deletions = former || narrowed ? [] : await db.selectFrom("deletion")
    .select(["record_id", "at"]).where("event_id", "=", event).where("category", "=", "guests")
    .execute()
  const deleted = new Map(deletions.map(({ record_id, at }) => [record_id, at]))
  const wasTold = (id: string) =>
    former || narrowed ? toldBy(former, id) : present.has(id) ? undefined : deleted.get(id)
  return [...new Set([...byGuest.keys(), ...deleted.keys()])].flatMap((record_id) => {
    const [before, after] = [wasTold(record_id), toldBy(next, record_id)]
    if (before === after) return []
    const hides = byGuest.get(record_id)?.at(-1)?.seq ?? null
    const kind = before === undefined ? "hidden" as const : "lost" as const
    return [{ event_id: event, record_id, at: before ?? now, kind, scope, hides }]
  })
}

/** Rows per statement. */
const portion = 200

async function insertAll(db: Kysely<Schema>, rows: readonly DepartureRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += portion) {
    await db.insertInto("departure").values(rows.slice(start, start + portion)).execute()
  }
}
