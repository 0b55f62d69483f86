import fc from "fast-check"
import t from "tap"
import { events } from "../../../core/records/events.ts"
import { event as eventType } from "../../../core/records/kinds/event.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import { guests } from "../../../core/records/guests.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { items } from "../../../core/records/items.ts"
import { leanItems } from "../../../core/records/lean.ts"
import type { RecordType } from "../../../core/records/fields.ts"
import { pick, type Projection } from "../../../core/records/projection.ts"
import type { PageRequest } from "../../../core/records/page.ts"
import { Builder, past } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { valuesOf } from "../../support/values.ts"

interface ListResult {
  readonly id: string
  readonly updated: number
}

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const page = { since: 0, offset: 0, limit: 1000, terms: [] }
  const access = { organizationIds: [], eventIds: [] }

  const read = (
    eventId: string,
    changes: Partial<PageRequest>,
    projection: Projection<"Guest"> = pick(guest, ["id", "updated"]),
  ) =>
    database.snapshot((snapshot) => {
      const scope = { access, organizations: undefined, eventId }
      return guests.list(snapshot, scope, { ...page, ...changes }, projection)
    })
  const list = async (...asked: Parameters<typeof read>) =>
    valuesOf((await read(...asked)).body) as ListResult[]
  const listItems = async (eventId: string, changes: Partial<PageRequest>) => {
    const { body } = await database.snapshot((snapshot) =>
      items.list(
        snapshot,
        { access, organizations: undefined, eventId },
        { ...page, ...changes },
        leanItems,
      )
    )
    return valuesOf(body) as Record<string, ListResult[]>
  }
  const listEvents = async (organizations: readonly string[] | undefined, since: number) => {
    const { body } = await database.snapshot((snapshot) =>
      events.list(
        snapshot,
        { access: { ...access, organizationIds: [organization] }, organizations, eventId: "" },
        { ...page, since },
        pick(eventType, ["id"]),
      )
    )
    return (valuesOf(body) as { id: string }[]).map(({ id }) => id)
  }

  await t.test("guests.list returns the slice of all records, newest first, that since, offset and limit select, and by cursor all of them", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 4, maxLength: 12 }),
        fc.integer({ min: -1, max: 6 }),
        fc.nat({ max: 13 }),
        fc.integer({ min: 1, max: 6 }),
        async (stamps, since, offset, limit) => {
          const event = await build.event(organization)
          const all: ListResult[] = []
          for (const stamp of stamps) {
            const updated = past + stamp
            all.push({ id: await build.guest(event, { updated }), updated })
          }
          const expected = all
            .filter((record) => record.updated >= past + since)
            .sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
          const wanted = { since: past + since, limit }
          const slice = expected.slice(offset, offset + limit)
          t.strictSame(await list(event, { ...wanted, offset }), slice)
          const pages: ListResult[][] = []
          let after: PageRequest["after"]
          do {
            const { body, next } = await read(event, { ...wanted, after })
            pages.push(valuesOf(body) as ListResult[])
            after = next
            if (pages.length > stamps.length) throw new Error("the walk does not end")
          } while (Object.keys(after).length > 0)
          t.strictSame(pages.flat(), expected)
          t.equal(pages.length, Math.max(1, Math.ceil(expected.length / limit)), "no empty page")
        },
      ),
      { numRuns: 12 },
    )
  })

  await t.test("guests.list and items.list return nothing of a part that has ended", async (t) => {
    const event = await build.event(organization)
    await build.guests(event, 2)
    const [, second = ""] = await build.items("tickets", event, 2)
    await build.items("pledges", event, 2)
    t.strictSame(await list(event, { after: {} }), [])
    const { tickets, ...others } = await listItems(event, { after: { tickets: [past + 2, "f"] } })
    t.ok(tickets?.some(({ id }) => id === second))
    t.strictSame(Object.values(others).flat(), [])
  })

  await t.test("events.list returns nothing where no organization has the family, and else the events from since on", async (t) => {
    const event = await build.event(organization, { updated: past + 5000 })
    t.ok((await listEvents(["acme"], 0)).includes(event))
    for (const organizations of [[], ["another"]]) {
      t.strictSame(await listEvents(organizations, 0), [])
    }
    const found = []
    for (const since of [past + 4999, past + 5000, past + 5001]) {
      found.push((await listEvents(undefined, since)).includes(event))
    }
    t.strictSame(found, [true, true, false])
  })

  await t.test("guests.list returns no record of another event", async (t) => {
    const [event, other] = [await build.event(organization), await build.event(organization)]
    await build.guests(other, 3)
    t.strictSame(await list(event, {}), [])
    t.equal((await list(other, {})).length, 3)
  })

  const names = [
    "Ångström",
    "ANGSTROM",
    "Łukasz",
    "José",
    "İpek",
    "Ολυμπία",
    "Олег",
    "田中",
    "O'Brien",
    "100%_sure",
    "back\\slash|",
  ]
  const finds: [string, string[]][] = [
    ["angstrom", ["Ångström", "ANGSTROM"]],
    ["STRÖM", ["Ångström", "ANGSTROM"]],
    ["lukasz", ["Łukasz"]],
    ["JOSE", ["José"]],
    ["ολυμπια", ["Ολυμπία"]],
    ["ОЛЕГ", ["Олег"]],
    ["田", ["田中"]],
    ["'", ["O'Brien"]],
    ["%", ["100%_sure"]],
    ["0%_", ["100%_sure"]],
    ["\\", ["back\\slash|"]],
    ["|", ["back\\slash|"]],
    ["_", ["100%_sure"]],
    ["nobody", []],
  ]
  await t.test("guests.list finds substrings regardless of case and accents, and has no wildcards", async (t) => {
    const event = await build.event(organization)
    for (const first_name of names) await build.guest(event, { first_name })
    const projection = pick(guest, ["firstName"])
    for (const [term, expected] of finds) {
      const found = await list(event, { terms: [term] }, projection) as unknown as {
        firstName: string
      }[]
      t.strictSame(found.map((record) => record.firstName).sort(), [...expected].sort(), term)
    }
  })

  await t.test("guests.list searches only the fields of the projection, and requires all terms, each in any field", async (t) => {
    const event = await build.event(organization)
    const names = { first_name: "Grace", last_name: "Hopper", company_name: "Secretive Ltd" }
    await build.guest(event, names)
    const searches = [
      [["secretive"], ["id", "companyName"], 1],
      [["secretive"], ["id", "firstName"], 0],
      // There is nothing to search.
      [["secretive"], ["id"], 0],
      [["hop", "gra"], ["id", "firstName", "lastName"], 1],
      [["hop", "ada"], ["id", "firstName", "lastName"], 0],
    ] as const
    for (const [terms, fields, count] of searches) {
      const found = await list(event, { terms }, pick(guest, fields))
      t.equal(found.length, count, `${terms} in ${fields}`)
    }
  })

  await t.test("items.list applies offset and limit to each category separately", async (t) => {
    const event = await build.event(organization)
    const pledges = await build.items("pledges", event, 3)
    const tickets = await build.items("tickets", event, 1)
    const bundle = await listItems(event, { offset: 1, limit: 1 })
    t.strictSame(Object.keys(bundle), [...itemCategories])
    t.strictSame(bundle["pledges"]?.map((record) => record.id), pledges.slice(1, 2))
    t.strictSame(bundle["tickets"], [], `the only ticket, ${tickets[0]}, is before the offset`)
  })
})

t.test("pick keeps the record's order, and rejects an unknown name", (t) => {
  t.strictSame(pick(guest, ["updated", "id"]).fields, ["id", "updated"])
  t.throws(() => pick(guest as RecordType<"Guest">, ["nickname"]), {
    message: "Cannot project Guest: it has no field nickname",
  })
  t.end()
})
