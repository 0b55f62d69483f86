import fc from "fast-check"
import t from "tap"
import { foldText } from "../../../core/data/fold-text.ts"
import { guests } from "../../../core/records/guests.ts"
import { guest } from "../../../core/records/kinds/guest.ts"
import type { PageRequest } from "../../../core/records/page.ts"
import { pick } from "../../../core/records/projection.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { valuesOf } from "../../support/values.ts"

/** Letters that some collation folds otherwise, with parts of them. */
const odd = [
  ..."\0\taAäÅßẞsSıİiIœøØłŁđÐŋæﬁfǆﾀタたﾞがかΣσςΐιϑθЙйиґ一⼀각ᄀ가١1¹①１%_|\\'🎟👩❤กิรाक़क",
  ..."\u0301\u0308\u0327\u0345\u3099\u093f\u00ad\u200b\u200d\ufe0f\u034f\u0640\u180e\u{e0041}\u0378\ufffd\ue000\u{10ffff}",
]
const letter = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }) },
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
  const projection = pick(guest, ["id", "firstName", "companyName"])

  const read = async (eventId: string, page: Partial<PageRequest>) => {
    const { body, next } = await database.snapshot((snapshot) =>
      guests.list(
        snapshot,
        { access: { organizationIds: [], eventIds: [] }, organizations: undefined, eventId },
        { since: -1, offset: 0, limit: 1000, terms: [], ...page },
        projection,
      )
    )
    return { found: (valuesOf(body) as { id: string }[]).map(({ id }) => id), next }
  }
  /** Reads all pages of a walk. Only the last may end it, and only the first may be empty. */
  const walk = async (
    eventId: string,
    way: "offset" | "cursor",
    page: { readonly limit: number; readonly terms: readonly string[] },
  ) => {
    const all: string[] = []
    for (let after: PageRequest["after"], offset = 0;; offset += page.limit) {
      const part = await read(eventId, { ...page, ...way === "offset" ? { offset } : { after } })
      all.push(...part.found)
      const isLast = Object.keys(part.next).length === 0
      if (all.length > 3000) throw new Error("the walk does not end")
      if (isLast ? part.found.length > page.limit : part.found.length !== page.limit) {
        throw new Error(`a page of ${part.found.length} records is no end`)
      }
      if (isLast) return all
      after = part.next
    }
  }

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
          const records: { readonly id: string; readonly texts: readonly string[] }[] = []
          for (const [first_name, company_name] of names) {
            const id = await build.guest(event, { first_name, company_name })
            records.push({
              id,
              texts: [first_name, ...company_name === null ? [] : [company_name]],
            })
          }
          const all = (await read(event, {})).found
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
                records.find((record) => record.id === id)?.texts
                  .some((text) => foldText(text).includes(folded))
              )
            )
            t.strictSame((await read(event, { terms: both })).found, expected, `${both}`)
            t.strictSame(await walk(event, "offset", { terms: both, limit }), expected)
            t.strictSame(await walk(event, "cursor", { terms: both, limit }), expected)
          }
        },
      ),
      { numRuns: engine === "mysql" ? 4 : 6 },
    )
  })

  await t.test("guests.list ends a walk of q only at its end, however many records the database could not leave out", async (t) => {
    const event = await build.event(organization)
    const ids = await build.guests(event, 1300)
    const { writer } = database
    await writer.updateTable("guest").set({ first_name: "Zoë" }).where("event_id", "=", event)
      .execute()
    const found = ids.filter((_, index) => index % 400 === 399)
    await writer.updateTable("guest").set({ first_name: "Straße" }).where("event_id", "=", event)
      .where("id", "in", found).execute()
    const all = (await read(event, { limit: 3000 })).found
    const expected = all.filter((id) => found.includes(id))
    t.equal(expected.length, 3)
    for (const limit of [1, 4]) {
      for (const way of ["offset", "cursor"] as const) {
        t.strictSame(await walk(event, way, { terms: ["STRASSE"], limit }), expected)
      }
    }
    t.strictSame(
      await walk(event, "offset", { terms: ["zoe"], limit: 1000 }),
      all.filter((id) => !found.includes(id)),
    )
    t.strictSame((await read(event, { terms: ["zoe"], offset: 1297 })).found, [])

    // Deleted records keep their positions, whatever they were.
    const gone = all.slice(0, 600).filter((id) => !found.includes(id))
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "in", gone).execute()
    for (const [index, id] of expected.entries()) {
      const offset = index + gone.filter((other) => all.indexOf(other) < all.indexOf(id)).length
      const from = async (offset: number) =>
        (await read(event, { terms: ["strasse"], offset })).found
      t.strictSame(await from(offset), expected.slice(index))
      t.strictSame(await from(offset + 1), expected.slice(index + 1))
    }
  })
})
