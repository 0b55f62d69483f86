import t from "tap"
import { freshApp } from "../../support/app.ts"
import { past } from "../../support/builder.ts"
import { onEveryEngine } from "../../support/database.ts"
import { linkOf } from "../../support/polling/link.ts"

await onEveryEngine(t, async (t, engine) => {
  const { build, database, logIn } = await freshApp(t, engine)
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await logIn("partner")
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
    const event = await build.event(organization)
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
      for (const id of gone) {
        await database.writer.deleteFrom(table as "guest").where("id", "=", id).execute()
      }
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
      await database.writer.deleteFrom(tables[list].table as "guest").where("event_id", "=", event)
        .where("id", "=", id).execute()
      await tables[list].insert(id)
      const again = await ask(`${of}/${list}?since=${past}`, whole.etag)
      t.equal(again.status, 200)
      if (list === "guests") t.equal(again.text, whole.text, "the same bytes")
      t.equal((await ask(page.link ?? "", last.etag)).status, 200)
    })

    await t.test(`GET …/${list}/deletions returns 304 until the event changes, on every page`, async (t) => {
      const { of, event, ids, tables } = await fresh()
      const path = `${of}/${list}/deletions?limit=2`
      const first = await ask(path)
      t.ok(first.link && first.etag)
      t.equal((await ask(path, first.etag)).status, 304)
      const last = await ask(first.link ?? "")
      t.equal((await ask(first.link ?? "", last.etag)).status, 304)
      await database.writer.deleteFrom(tables[list].table as "guest").where("event_id", "=", event)
        .where("id", "=", ids[0] ?? "").execute()
      t.equal((await ask(path, first.etag)).status, 200)
      t.equal((await ask(first.link ?? "", last.etag)).status, 200)
    })
  }

  const withoutVersion: [list: string, path: (of: string) => string][] = [
    ["events", () => `${prefix}/events`],
  ]
  for (const [list, pathOf] of withoutVersion) {
    await t.test(`GET …/${list} has no version, so only its last page has an ETag`, async (t) => {
      const path = pathOf((await fresh()).of)
      await build.event(organization)
      const first = await ask(`${path}?limit=1`)
      t.ok(first.link)
      t.equal(first.etag, null)
      t.equal((await ask(`${path}?limit=1`, "*")).status, 200)
      const all = await ask(path)
      t.strictSame([/^"[\w-]{43}"$/.test(all.etag ?? ""), all.link], [true, undefined])
      t.equal((await ask(path, all.etag)).status, 304)
    })
  }
})
