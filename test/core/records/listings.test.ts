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

  const list = (
    eventId: string,
    page: Partial<PageRequest>,
    projection: Projection<"Guest"> = pick(guest, ["id", "updated"]),
  ) =>
    database.snapshot((snapshot) =>
      guests.list(
        snapshot,
        { access: { organizationIds: [], eventIds: [] }, organizations: undefined, eventId },
        { since: 0, offset: 0, limit: 1000, terms: [], ...page },
        projection,
      )
    ).then(({ body }) => valuesOf(body) as ListResult[])

  await t.test("guests.list returns the slice of all records, newest first, that since, offset and limit select", async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 }),
        fc.integer({ min: -1, max: 6 }),
        fc.nat({ max: 13 }),
        fc.integer({ min: 1, max: 13 }),
        async (stamps, since, offset, limit) => {
          const event = await build.event(organization)
          const all: ListResult[] = []
          for (const stamp of stamps) {
            all.push({
              id: await build.guest(event, { updated: past + stamp }),
              updated: past + stamp,
            })
          }
          const expected = all
            .filter((record) => record.updated >= past + since)
            .sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
            .slice(offset, offset + limit)
          t.strictSame(await list(event, { since: past + since, offset, limit }), expected)
        },
      ),
      { numRuns: 40 },
    )
  })

  await t.test("guests.list and items.list return nothing of a part that has ended", async (t) => {
    const event = await build.event(organization)
    await build.guests(event, 2)
    const [, second = ""] = await build.items("tickets", event, 2)
    await build.items("pledges", event, 2)
    t.strictSame(await list(event, { after: {} }), [])
    const { body } = await database.snapshot((snapshot) =>
      items.list(
        snapshot,
        { access: { organizationIds: [], eventIds: [] }, organizations: undefined, eventId: event },
        { since: 0, offset: 0, limit: 9, terms: [], after: { tickets: [past + 2, "f"] } },
        leanItems,
      )
    )
    const { tickets, ...others } = valuesOf(body) as Record<string, ListResult[]>
    t.ok(tickets?.some(({ id }) => id === second))
    t.strictSame(Object.values(others).flat(), [])
  })

  await t.test("events.list returns nothing where no organization has the family", async (t) => {
    const access = { organizationIds: [organization], eventIds: [] }
    const read = (organizations: readonly string[]) =>
      database.snapshot((snapshot) =>
        events.list(
          snapshot,
          { access, organizations, eventId: "" },
          { since: 0, offset: 0, limit: 9, terms: [] },
          pick(eventType, ["id"]),
        )
      ).then(({ body }) => valuesOf(body) as unknown[])
    await build.event(organization)
    t.ok((await read(["acme"])).length > 0)
    t.strictSame(await read([]), [])
    t.strictSame(await read(["another"]), [])
  })

  await t.test("events.list returns the events from since on, that second included", async (t) => {
    const access = { organizationIds: [organization], eventIds: [] }
    const event = await build.event(organization, { updated: past + 5000 })
    const read = async (since: number) => {
      const { body } = await database.snapshot((snapshot) =>
        events.list(
          snapshot,
          { access, organizations: undefined, eventId: "" },
          { since, offset: 0, limit: 9, terms: [] },
          pick(eventType, ["id"]),
        )
      )
      return (valuesOf(body) as { id: string }[]).some(({ id }) => id === event)
    }
    t.strictSame(
      [await read(past + 4999), await read(past + 5000), await read(past + 5001)],
      [true, true, false],
    )
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

  await t.test("guests.list searches only the fields of the projection", async (t) => {
    const event = await build.event(organization)
    await build.guest(event, { company_name: "Secretive Ltd" })
    t.equal(
      (await list(event, { terms: ["secretive"] }, pick(guest, ["id", "companyName"]))).length,
      1,
    )
    t.equal(
      (await list(event, { terms: ["secretive"] }, pick(guest, ["id", "firstName"]))).length,
      0,
    )
    t.equal(
      (await list(event, { terms: ["secretive"] }, pick(guest, ["id"]))).length,
      0,
      "there is nothing to search",
    )
  })

  await t.test("guests.list requires all terms, each in any field", async (t) => {
    const event = await build.event(organization)
    await build.guest(event, { first_name: "Grace", last_name: "Hopper" })
    const projection = pick(guest, ["id", "firstName", "lastName"])
    t.equal((await list(event, { terms: ["hop", "gra"] }, projection)).length, 1)
    t.equal((await list(event, { terms: ["hop", "ada"] }, projection)).length, 0)
  })

  await t.test("items.list applies offset and limit to each category separately", async (t) => {
    const event = await build.event(organization)
    const pledges = await build.items("pledges", event, 3)
    const tickets = await build.items("tickets", event, 1)
    const { body } = await database.snapshot((snapshot) =>
      items.list(
        snapshot,
        { access: { organizationIds: [], eventIds: [] }, organizations: undefined, eventId: event },
        { since: 0, offset: 1, limit: 1, terms: [] },
        leanItems,
      )
    )
    const bundle = valuesOf(body) as Record<string, ListResult[]>
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
