import t from "tap"
import { fillElsewhere } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { openJourney } from "../../support/polling/journey.ts"
import { linkOf } from "../../support/polling/link.ts"

await onEveryEngine(t, async (t, engine) => {
  const { build, get, newEvent, remove } = await openJourney(t, engine, { prepare: fillElsewhere })
  const prefix = "/connector-b/v1"

  /** Requests a page, with the tag of an earlier response. */
  const ask = async (path: string, tag?: string | null) => {
    const response = await get(path, tag ? { headers: { "if-none-match": tag } } : {})
    const { status, headers } = response
    return {
      status,
      text: await response.text(),
      etag: headers.get("etag"),
      link: linkOf(response),
    }
  }

  /** Makes an event with four guests and four tickets of one second, and three deleted ones of each. */
  const fresh = async () => {
    const event = await newEvent()
    const ids = ["9", "8", "7", "6"].map((digit) => digit + crypto.randomUUID().slice(1))
    const lowest = `0${crypto.randomUUID().slice(1)}`
    const tables = {
      guests: { table: "guest", insert: (id: string) => build.guest(event, { id, updated: past }) },
      items: {
        table: "ticket",
        insert: (id: string) => build.item("tickets", event, { id, updated: past }),
      },
    }
    for (const { table, insert } of Object.values(tables)) {
      const gone = [1, 2, 3].map(() => crypto.randomUUID())
      for (const id of [...ids, ...gone]) await insert(id)
      await remove(table, gone, event)
    }
    return { of: `${prefix}/events/${event}`, event, ids, lowest, tables }
  }

  for (const list of ["guests", "items"] as const) {
    await t.test(`GET …/${list} returns 200 if the first page is the same and a later one has changed`, async (t) => {
      const { of, lowest, tables } = await fresh()
      const path = `${of}/${list}?since=${past}&limit=2`
      const first = await ask(path)
      t.equal((await ask(path, first.etag)).status, 304)
      t.equal((await ask(`${path}&offset=0`, first.etag)).status, 304)

      await tables[list].insert(lowest)
      const again = await ask(path, first.etag)
      t.equal(again.status, 200)
      t.equal(again.text, first.text, "the same bytes")
      t.not(again.etag, first.etag)
      t.match((await ask(`${of}/${list}?since=${past}`)).text, lowest)
      t.equal((await ask(path, again.etag)).status, 304)
    })

    await t.test(`GET …/${list} returns 200 if a record went and came back as it was`, async (t) => {
      const { of, event, ids, tables } = await fresh()
      const [id = ""] = ids
      const whole = await ask(`${of}/${list}?since=${past}`)
      const page = await ask(`${of}/${list}?since=${past}&limit=3`)
      const last = await ask(page.link ?? "")
      t.strictSame([whole.link, last.link], [undefined, undefined])
      t.equal((await ask(`${of}/${list}?since=${past}`, whole.etag)).status, 304)
      t.equal((await ask(page.link ?? "", last.etag)).status, 304)

      // Meanwhile a client may have read that it is deleted.
      await remove(tables[list].table, [id], event)
      await tables[list].insert(id)
      const again = await ask(`${of}/${list}?since=${past}`, whole.etag)
      t.equal(again.status, 200)
      if (list === "guests") t.equal(again.text, whole.text, "the same bytes")
      t.equal((await ask(page.link ?? "", last.etag)).status, 200)
    })

    await t.test(`GET …/${list} returns 304 for an empty page until something is deleted, in each form`, async (t) => {
      const { of, event, ids, tables } = await fresh()
      const removeOne = (id = "") => remove(tables[list].table, [id], event)
      const path = `${of}/${list}?since=${past + 1}`
      const filters = ["", "&limit=1", "&offset=7", "&q=nobody", "&bucket=0"]
      if (list === "items") filters.push("&category=tickets", "&category=pledges")
      const accepts = ["application/json", "application/x-ndjson", "text/csv"]
      const forms = filters.flatMap((filter) =>
        accepts.flatMap((accept) =>
          ["GET", "HEAD"].map((method) => ({ path: path + filter, accept, method }))
        )
      )
      const tagOf = async ({ path, accept, method }: typeof forms[number], tag = "") => {
        const response = await get(path, { method, headers: { accept, "if-none-match": tag } })
        const name = `${method} ${path} as ${accept}`
        return { name, status: response.status, etag: response.headers.get("etag") ?? "" }
      }
      const before = await Promise.all(forms.map((form) => tagOf(form)))
      const tags = new Set(before.map(({ etag }) => etag))
      t.equal(tags.size, accepts.length * filters.length, "a tag for each form and query")
      await removeOne(ids[0])
      for (const [index, form] of forms.entries()) {
        const { etag, name } = before[index] ?? { etag: "", name: "" }
        const after = await tagOf(form, etag)
        t.match(after, { status: 200, etag: /^".{22}/ }, name)
        t.not(after.etag, etag)
        t.equal((await tagOf(form, after.etag)).status, 304)
        // The next poll begins later.
        const later = { ...form, path: form.path.replace(`${past + 1}`, `${past + 2}`) }
        t.equal((await tagOf(later, after.etag)).status, 304)
        const earlier = { ...form, path: form.path.replace(`${past + 1}`, `${past}`) }
        t.equal((await tagOf(earlier, after.etag)).status, 200, "there may be more")
      }
      const { etag } = await ask(path)
      await removeOne(ids[1])
      await tables[list].insert(ids[1] ?? "")
      t.equal((await ask(path, etag)).status, 200, "it went and came back as it was")
    })

    await t.test(`GET …/${list} returns 304 for an event that has never had any record`, async (t) => {
      const event = await newEvent()
      const path = `${prefix}/events/${event}/${list}?since=${past}`
      const { etag } = await ask(path)
      t.equal((await ask(path, etag)).status, 304)
      if (list === "guests") await build.guest(event, { updated: past - 1 })
      else await build.item("tickets", event, { updated: past - 1 })
      t.match(await ask(path, etag), { status: 200, text: /^(\[\]|.*:\[\])/ }, "one that is older")
    })

    await t.test(`GET …/${list}/deletions returns 304 until the event changes, on every page`, async (t) => {
      const { of, event, ids, tables } = await fresh()
      const path = `${of}/${list}/deletions?limit=2`
      const first = await ask(path)
      t.ok(first.link && first.etag)
      t.equal((await ask(path, first.etag)).status, 304)
      const last = await ask(first.link ?? "")
      t.equal((await ask(first.link ?? "", last.etag)).status, 304)
      await remove(tables[list].table, [ids[0] ?? ""], event)
      t.equal((await ask(path, first.etag)).status, 200)
      t.equal((await ask(first.link ?? "", last.etag)).status, 200)
    })
  }

  await t.test("GET …/events has no version, so only its last page has an ETag", async (t) => {
    const path = `${prefix}/events`
    await newEvent()
    await newEvent()
    const first = await ask(`${path}?limit=1`)
    t.ok(first.link)
    t.equal(first.etag, null)
    t.equal((await ask(`${path}?limit=1`, "*")).status, 200)
    const all = await ask(path)
    t.strictSame([/^"[\w-]{43}"$/.test(all.etag ?? ""), all.link], [true, undefined])
    t.equal((await ask(path, all.etag)).status, 304)
  })
})
