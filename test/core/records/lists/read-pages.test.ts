import t, { type Test } from "tap"
import type { Snapshot } from "../../../../core/data/database.ts"
import { guests, items } from "../../../../core/records/lists/records.ts"
import { guest } from "../../../../core/records/kinds/guest.ts"
import {
  itemCategories,
  type ItemsProjection,
  wholeItems,
} from "../../../../core/records/kinds/items.ts"
import { leanGuest, leanItems } from "../../../../core/records/kinds/lean.ts"
import { encodeBody } from "../../../../core/records/lists/list.ts"
import type { PageRequest } from "../../../../core/records/lists/page.ts"
import {
  pick,
  type Projection,
  rewritten,
  whole,
} from "../../../../core/records/kinds/projection.ts"
import { Builder } from "../../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../../support/database.ts"
import { insertTricky } from "../../../support/tricky-records.ts"

/** Reads a page of an event. */
type List = (
  snapshot: Snapshot,
  scope: Parameters<typeof guests.list>[1],
  page: PageRequest,
) => ReturnType<typeof guests.list>

const whole1000 = { since: 0, offset: 0, limit: 1000, terms: [] }
const listGuests = (projection: Projection<"Guest">): List => (snapshot, scope, page) =>
  guests.list(snapshot, scope, page, projection)
const listItems = (projections: ItemsProjection): List => (snapshot, scope, page) =>
  items.list(snapshot, scope, page, projections)

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { writer } = database
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const access = { organizationIds: [], eventIds: [] }

  /** Returns the text of a page, and where the next one begins. */
  const read = async (list: List, eventId: string, page: Partial<PageRequest> = {}) => {
    const { body, next } = await database.snapshot((snapshot) =>
      list(snapshot, { access, organizations: undefined, eventId }, { ...whole1000, ...page })
    )
    return { text: new TextDecoder().decode(encodeBody(body)), next }
  }

  /** Compares a page whose rows are read in whole with those whose keys are read first. */
  const compare = async (t: Test, eventId: string, list: List) => {
    const found = JSON.parse((await read(list, eventId)).text)
    const rest = JSON.parse((await read(list, eventId, { offset: 1 })).text)
    const withoutFirst = (found: unknown[] | Record<string, unknown[]>) =>
      Array.isArray(found)
        ? found.slice(1)
        : Object.fromEntries(Object.entries(found).map(([name, all]) => [name, all.slice(1)]))
    t.strictSame(rest, withoutFirst(found))
    return found
  }

  await t.test("readPages writes the same guests and items, whether rows are read at once or by their keys", async (t) => {
    const event = await build.event(organization)
    await insertTricky(build, event)
    const escaped = '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é€😀'
    const texts = { first_name: escaped, last_name: "", email: escaped, company_name: escaped }
    const id = await build.guest(event, texts)
    await build.consent(event, id, { asked: 0, status: "inactive", channels: 'a"\\' })
    const kind = { kind: "tax_receipt", line4: escaped, state: escaped } as const
    await build.address(event, id, kind)
    const long = 'ä"b'.repeat(3000)
    const all = { name: escaped, description: long, terms_description: long, external_id: escaped }
    const draw = { ticket_price: 2 ** 53 - 1, draws: 2 ** 31 - 1 }
    const sale = { price: 2 ** 53 - 1, tax_rate: 999.999 }
    const own = { prizeDraws: draw, gliRaffles: draw, buyNows: sale, tickets: sale }
    for (const category of itemCategories) {
      await build.items(category, event, 1)
      await build.item(category, event, { ...all, ...own[category as keyof typeof own] })
    }
    for (const projection of [whole(guest), leanGuest, pick(guest, ["updated", "consentStatus"])]) {
      t.equal((await compare(t, event, listGuests(projection))).length, 16)
    }
    for (const projections of [wholeItems, leanItems]) {
      await compare(t, event, listItems(projections))
    }
    const found = JSON.parse((await read(listGuests(whole(guest)), event)).text)
    t.match(found.find((each: { id: string }) => each.id === id), {
      firstName: escaped,
      lastName: "",
      consentAsked: false,
      consentChannels: 'a"\\',
      taxReceiptAidAddress: { line4: escaped, state: escaped },
      giftAidAddress: null,
    })
  })

  await t.test("readPages reads by id the records of its event, though another has the same ids", async (t) => {
    const events = [await build.event(organization), await build.event(organization)]
    const ids = []
    for (const event of events) {
      ids.push(await build.guests(event, 12))
      await build.items("pledges", event, 12)
      await writer.updateTable("guest").set({ first_name: event })
        .where("event_id", "=", event).execute()
      await writer.updateTable("pledge").set({ name: event }).where("event_id", "=", event)
        .execute()
    }
    t.strictSame(ids[0], ids[1])
    for (const event of events) {
      for (const offset of [0, 9]) {
        const { text } = await read(listGuests(whole(guest)), event, { offset })
        const bundle = await read(listItems(wholeItems), event, { offset })
        const found = [...JSON.parse(text), ...JSON.parse(bundle.text).pledges]
          .map(({ firstName, name, eventId }) => [firstName ?? name, eventId])
        t.strictSame(found, Array(2 * (12 - offset)).fill([event, event]), `from ${offset} on`)
      }
    }
  })

  await t.test("a list of a rewritten projection has its values of now, and its body can be stringified", async (t) => {
    const event = await build.event(organization)
    const id = await build.guest(event, { first_name: "Ada" })
    const projection = pick(guest, ["id", "firstName"])
    let sign = ""
    const signed = rewritten(projection, projection.schema, (record) => (
      { ...record, firstName: record["firstName"] + sign }
    ))
    const scope = { access, organizations: undefined, eventId: event }
    for (sign of ["?", "!"]) {
      const { body } = await database.snapshot((snapshot) =>
        listGuests(signed)(snapshot, scope, whole1000)
      )
      t.equal(JSON.stringify({ body }), JSON.stringify({ body: [{ id, firstName: `Ada${sign}` }] }))
    }
  })
})
