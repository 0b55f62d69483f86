import fc from "fast-check"
import t from "tap"
import { foldText } from "../../../../core/data/fold-text.ts"
import { events } from "../../../../core/records/lists/events.ts"
import { event as eventType } from "../../../../core/records/kinds/event.ts"
import { guest } from "../../../../core/records/kinds/guest.ts"
import { guests, items } from "../../../../core/records/lists/records.ts"
import { itemCategories } from "../../../../core/records/kinds/items.ts"
import { leanItems } from "../../../../core/records/kinds/lean.ts"
import type { PageRequest } from "../../../../core/records/lists/page.ts"
import { pick } from "../../../../core/records/kinds/projection.ts"
import { Builder, past } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { valuesOf } from "../../../support/values.ts"

type Records = { readonly id: string }[]
const idsOf = (records: Records | undefined) => records?.map(({ id }) => id)

/** Letters that some collation folds otherwise, with parts of them. */
const odd = [
  ..."\0\taAäÅßẞsSıİiIœøØłŁđÐŋæﬁfǆﾀタたﾞがかΣσςΐιϑθЙйиґ一⼀각ᄀ가١1¹①１%_|\\'🎟👩❤กิรाक़क",
  ..."\u0301\u0308\u0327\u0345\u3099\u093f\u00ad\u200b\u200d\ufe0f\u034f\u0640\u180e\u{e0041}\u0378\ufffd\ue000\u{10ffff}",
]
const letter = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  // Without surrogates.
  {
    weight: 2,
    arbitrary: fc.nat(0x10ffff - 2048).map((at) =>
      String.fromCodePoint(at < 0xd800 ? at : at + 2048)
    ),
  },
)
const text = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(""))

/** Ways to write a text that are as good to somebody who searches, or that are not. */
const rewritings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize("NFD"),
  (text) => text.normalize("NFKC"),
  (text) => foldText(text),
  (text) => [...text].join("\u0301"),
  (text) => `${text}x`,
]

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const all = { since: -1, offset: 0, limit: 1000, terms: [] }
  const access = { organizationIds: [organization], eventIds: [] }
  const projection = pick(guest, ["id", "firstName", "companyName"])

  const read = async (eventId: string, page: Partial<PageRequest> = {}) => {
    const { body, next } = await database.snapshot((snapshot) => {
      const scope = { access, organizations: undefined, eventId }
      return guests.list(snapshot, scope, { ...all, ...page }, projection)
    })
    return { found: idsOf(valuesOf(body) as Records) ?? [], next }
  }
  const readItems = async (eventId: string, page: Partial<PageRequest>) => {
    const { body } = await database.snapshot((snapshot) => {
      const scope = { access, organizations: undefined, eventId }
      return items.list(snapshot, scope, { ...all, ...page }, leanItems)
    })
    return valuesOf(body) as Record<string, Records>
  }
  const readEvents = async (organizations: readonly string[] | undefined, since: number) => {
    const { body } = await database.snapshot((snapshot) => {
      const scope = { access, organizations, eventId: "" }
      return events.list(snapshot, scope, { ...all, since }, pick(eventType, ["id"]))
    })
    return idsOf(valuesOf(body) as Records) ?? []
  }
  /** Reads all pages of a walk. Only the last may end it, and only the first may be empty. */
  const walk = async (
    eventId: string,
    way: "offset" | "cursor",
    page: Partial<PageRequest> & { readonly limit: number },
  ) => {
    const found: string[] = []
    for (let after: PageRequest["after"], offset = 0;; offset += page.limit) {
      const part = await read(eventId, { ...page, ...way === "offset" ? { offset } : { after } })
      found.push(...part.found)
      const isLast = Object.keys(part.next).length === 0
      if (found.length > 3000) throw new Error("the walk does not end")
      if (isLast ? part.found.length > page.limit : part.found.length !== page.limit) {
        throw new Error(`a page of ${part.found.length} records is no end`)
      }
      if (isLast && part.found.length === 0 && found.length > 0) throw new Error("an empty page")
      if (isLast) return found
      after = part.next
    }
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
          const all: { readonly id: string; readonly updated: number }[] = []
          for (const stamp of stamps) {
            const updated = past + stamp
            all.push({ id: await build.guest(event, { updated }), updated })
          }
          const expected = all
            .filter((record) => record.updated >= past + since)
            .sort((a, b) => b.updated - a.updated || (a.id < b.id ? 1 : -1))
            .map(({ id }) => id)
          const wanted = { since: past + since, limit }
          const slice = expected.slice(offset, offset + limit)
          t.strictSame((await read(event, { ...wanted, offset })).found, slice)
          t.strictSame(await walk(event, "cursor", wanted), expected)
        },
      ),
      { numRuns: 12 },
    )
  })

  await t.test("guests.list and items.list return nothing of a part that has ended, and nothing of another event", async (t) => {
    const [event, other] = [await build.event(organization), await build.event(organization)]
    await build.guests(event, 2)
    const [, second = ""] = await build.items("tickets", event, 2)
    await build.items("pledges", event, 2)
    t.strictSame((await read(event, { after: {} })).found, [])
    const { tickets, ...others } = await readItems(event, { after: { tickets: [past + 2, "f"] } })
    t.ok(idsOf(tickets)?.includes(second))
    t.strictSame(Object.values(others).flat(), [])
    t.strictSame([await read(other), await readItems(other, {})], [
      { found: [], next: {} },
      Object.fromEntries(itemCategories.map((category) => [category, []])),
    ])
  })

  await t.test("items.list applies offset and limit to each category separately", async (t) => {
    const event = await build.event(organization)
    const pledges = await build.items("pledges", event, 3)
    await build.items("tickets", event, 1)
    const bundle = await readItems(event, { offset: 1, limit: 1 })
    t.strictSame(Object.keys(bundle), [...itemCategories])
    t.strictSame([idsOf(bundle["pledges"]), bundle["tickets"]], [pledges.slice(1, 2), []])
  })

  await t.test("events.list returns nothing where no organization has the family, and else the events from since on", async (t) => {
    const event = await build.event(organization, { updated: past + 5000 })
    t.ok((await readEvents(["acme"], 0)).includes(event))
    for (const organizations of [[], ["another"]]) {
      t.strictSame(await readEvents(organizations, 0), [])
    }
    const found = []
    for (const since of [past + 4999, past + 5000, past + 5001]) {
      found.push((await readEvents(undefined, since)).includes(event))
    }
    t.strictSame(found, [true, true, false])
  })

  await t.test("guests.list finds the records whose folded fields contain each folded term, whatever the letters", async (t) => {
    const names = fc.tuple(text, fc.option(text))
    const term = fc.tuple(fc.nat(), fc.nat(8), fc.nat(8), fc.constantFrom(...rewritings))
    await fc.assert(
      fc.asyncProperty(
        fc.array(names, { minLength: 4, maxLength: 10 }),
        fc.array(fc.oneof(term, text), { minLength: 4, maxLength: 8 }),
        fc.integer({ min: 1, max: 4 }),
        async (names, searches, limit) => {
          const event = await build.event(organization)
          const textsOf = new Map<string, readonly (string | null)[]>()
          for (const [first_name, company_name] of names) {
            const id = await build.guest(event, { first_name, company_name })
            textsOf.set(id, [first_name, company_name])
          }
          const all = (await read(event)).found
          const terms = searches.map((search) => {
            if (typeof search === "string") return search
            const [which, start, length, rewrite] = search
            const letters = [...names[which % names.length]?.[0] ?? ""]
            return rewrite(letters.slice(start, start + length).join(""))
          })
          for (const [index, term] of terms.entries()) {
            const both = index % 2 === 0 ? [term] : [term, terms[index - 1] ?? ""]
            const expected = all.filter((id) =>
              both.map(foldText).every((folded) =>
                textsOf.get(id)?.some((text) => text !== null && foldText(text).includes(folded))
              )
            )
            t.strictSame((await read(event, { terms: both })).found, expected, `${both}`)
            t.strictSame(await walk(event, "offset", { terms: both, limit }), expected)
            t.strictSame(await walk(event, "cursor", { terms: both, limit }), expected)
          }
        },
      ),
      { numRuns: engine === "mysql" ? 4 : 5 },
    )
  })

  await t.test("guests.list finds a telephone number with the code of its country and without", async (t) => {
    const event = await build.event(organization)
    const ids = await Promise.all(
      ["+44 7700 900123", "07700900123", "(0044) 7700/900-123", "+44 7700 900124"]
        .map((company_name) => build.guest(event, { company_name })),
    )
    for (const q of ["07700 900123", "+44 7700 900123", "00447700900123", "+44 (0)7700 900123"]) {
      const { found } = await read(event, { terms: q.split(" ") })
      t.strictSame(found.toSorted(), ids.slice(0, 3).toSorted(), q)
    }
  })

  await t.test("guests.list ends a walk of q only at its end, however many records the database could not leave out", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 1300)
    const { writer } = database
    const rename = (first_name: string) =>
      writer.updateTable("guest").set({ first_name }).where("event_id", "=", event)
    await rename("Zoë").execute()
    const some = ids.filter((_, index) => index % 400 === 399)
    await rename("Straße").where("id", "in", some).execute()
    const all = (await read(event, { limit: 3000 })).found
    const expected = all.filter((id) => some.includes(id))
    t.equal(expected.length, 3)
    for (const limit of [1, 4]) {
      for (const way of ["offset", "cursor"] as const) {
        t.strictSame(await walk(event, way, { terms: ["STRASSE"], limit }), expected)
      }
    }
    const others = await walk(event, "offset", { terms: ["zoe"], limit: 1000 })
    t.strictSame(others, all.filter((id) => !some.includes(id)))
    t.strictSame((await read(event, { terms: ["zoe"], offset: 1297 })).found, [])

    // Deleted records keep their positions, whatever they were.
    const gone = all.slice(0, 600).filter((id) => !some.includes(id))
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "in", gone).execute()
    for (const [index, id] of expected.entries()) {
      const offset = index + gone.filter((other) => all.indexOf(other) < all.indexOf(id)).length
      for (const more of [0, 1]) {
        const { found } = await read(event, { terms: ["strasse"], offset: offset + more })
        t.strictSame(found, expected.slice(index + more))
      }
    }
  })
})
