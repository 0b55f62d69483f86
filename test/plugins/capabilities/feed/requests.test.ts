import { setTimeout } from "node:timers/promises"
import t from "tap"
import { onEmbedded } from "../../../support/database.ts"
import { feedStage } from "../../../support/feed/feed-stage.ts"

await onEmbedded(t, async (t, engine) => {
  const stage = await feedStage(t, engine)
  const { get, path, event, other, client, guestIds, update, remove, add, past } = stage
  const [partner, second] = [await stage.logIn("partner"), await stage.logIn("second")]

  await t.test("a cursor of another account, event, family or list, or an altered one, is refused", async (t) => {
    const of = (family: string, id = event) => `/${family}/v1/events/${id}/changes`
    const { next } = await (await partner(of("connector-b"))).json()
    const page = await partner(`/connector-b/v1/events/${event}/guests?limit=1`)
    const [, cursor = ""] = /cursor=([^>]+)>/.exec(page.headers.get("link") ?? "") ?? []
    const altered = next.slice(0, 10) + (next[10] === "A" ? "B" : "A") + next.slice(11)
    const refused = {
      "of another account": second(`${of("connector-b")}?after=${next}`),
      "of another event": partner(`${of("connector-b", other)}?after=${next}`),
      "of another family": partner(`${of("connector-a")}?after=${next}`),
      "of a list": partner(`${of("connector-b")}?after=${cursor}`),
      "altered": partner(`${of("connector-b")}?after=${altered}`),
      "cut": partner(`${of("connector-b")}?after=${next.slice(0, -1)}`),
      "of no feed": partner(`${of("connector-b")}?after=x.y`),
      "no text for a cursor": partner(`${of("connector-b")}?after=%00`),
    }
    const problem = { status: 400, code: "invalid_parameter", errors: [{ parameter: "after" }] }
    for (const [name, response] of Object.entries(refused)) {
      t.match(await (await response).json(), {
        ...problem,
        detail: /begin again without it, with an empty copy/,
      }, name)
    }
    t.equal((await partner(`${of("connector-b")}?after=${next}`)).status, 200)
    t.equal((await partner(`${of("connector-b")}?after=`)).status, 200, "an empty one is none")
    for (const query of ["limit=0", "limit=1001", "since=5", "q=Ada", "offset=3"]) {
      t.equal((await partner(`${of("connector-b")}?${query}`)).status, 400, query)
    }
  })

  await t.test("NDJSON has a line per change, and a last one; HEAD has no body", async (t) => {
    const added = crypto.randomUUID()
    await add(added, event, { first_name: "li\u2028n\u2029e\u0085s" })
    await past()
    const json = await (await get(`${path}/changes`)).json()
    for (const name of ["x-ndjson", "ndjson", "jsonl", "x-jsonlines"]) {
      const headers = { accept: `application/${name}, */*;q=0.1` }
      const response = await get(`${path}/changes`, { headers })
      t.equal(response.headers.get("content-type"), `application/${name}`)
      const text = await response.text()
      t.ok(text.endsWith("\n"))
      const lines = text.trimEnd().split(/[\n\u0085\u2028\u2029]/).map((line) => JSON.parse(line))
      const last = lines.pop()
      t.strictSame(lines, json.changes)
      t.strictSame(last, { next: last.next, more: false })
      t.type(last.next, "string")
    }
    await remove(added)
    for (const accept of ["*/*", "text/csv", "application/json, application/x-ndjson;q=0.5"]) {
      const response = await get(`${path}/changes?limit=4`, { headers: { accept } })
      t.match(response.headers.get("content-type"), /^application\/json/)
    }
    const head = await get(`${path}/changes`, { method: "HEAD" })
    t.equal(await head.text(), "")
    t.match(Object.fromEntries(head.headers), {
      "poll-interval": /^\d+$/,
      "fields": /^[0-9a-f]{8}$/,
    })
    t.notOk(head.headers.has("next-since") || head.headers.has("link") || head.headers.has("etag"))
  })

  await t.test("only an answer without changes has an ETag, which gives 304", async (t) => {
    const copy = client()
    await copy.poll()
    await past()
    for (let poll = 0; poll < 2; poll++) await copy.poll()
    const url = `${path}/changes?after=${copy.state}`
    const idle = await get(url)
    const etag = idle.headers.get("etag") ?? ""
    t.match(etag, /^".+"$/)
    const headers = { "if-none-match": etag }
    const again = await get(url, { headers })
    t.equal(again.status, 304)
    t.equal(again.headers.get("fields"), idle.headers.get("fields"))
    const [id = ""] = await guestIds()
    await update(id)
    const changed = await get(url, { headers })
    t.equal(changed.status, 200)
    t.notOk(changed.headers.has("etag"))
    t.equal((await changed.json()).changes.length, 1)
  })

  await t.test("Prefer: wait holds a request until something changes, and not one that has news", async (t) => {
    const copy = client()
    for (let poll = 0; poll < 2; poll++) await copy.poll()
    const waiting = { headers: { prefer: "wait=30" } }
    let isAnswered = false
    const held = get(`${path}/changes?after=${copy.state}`, waiting)
      .finally(() => isAnswered = true)
    await setTimeout(600)
    t.notOk(isAnswered)
    const [id = ""] = await guestIds()
    await remove(id)
    const response = await held
    t.equal(response.headers.get("preference-applied"), "wait=30")
    const { changes } = await response.json()
    t.match(changes.filter(({ deleted }: { deleted?: number }) => deleted), [{ id }])
    for (const query of [`?after=${copy.state}`, ""]) {
      const news = await get(`${path}/changes${query}`, waiting)
      t.ok((await news.json()).changes.length > 0)
    }
    const begun = await get(`${path}/changes?after=now`, waiting)
    t.strictSame((await begun.json()).changes, [])
    await add(id)
  })

  await t.test("a single record is as the list has it, with a tag", async (t) => {
    const [guest] = await (await get(`${path}/guests?since=-1`)).json()
    const url = `${path}/guests/${guest.id}`
    const response = await get(url)
    t.equal(response.status, 200)
    t.equal(response.headers.get("fields"), (await get(`${path}/guests`)).headers.get("fields"))
    t.equal(await response.text(), JSON.stringify(guest))
    const headers = { "if-none-match": response.headers.get("etag") ?? "" }
    t.equal((await get(url, { headers })).status, 304)
    await update(guest.id)
    t.equal((await get(url, { headers })).status, 200)
    const { tickets: [ticket] } = await (await get(`${path}/items?since=-1`)).json()
    const item = await get(`${path}/items/${ticket.id.toUpperCase()}?category=tickets`)
    t.equal(await item.text(), JSON.stringify({ category: "tickets", ...ticket }))
    const absent = {
      "guests/00000000-0000-4000-8000-000000000000": "record_not_found",
      "guests/ada": "not_found",
      // A list that is turned off.
      "guests/former?limit=5&since=-1": "not_found",
    }
    for (const [rest, code] of Object.entries(absent)) {
      const problem = await (await get(`${path}/${rest}`)).json()
      t.strictSame([problem.status, problem.code], [404, code], rest)
    }
    await remove(guest.id)
    t.equal((await get(url)).status, 404)
    t.equal((await get(url.replace(event, other))).status, 200, "of another event")
    for (const list of ["deletions", "digest", "export"]) {
      t.equal((await get(`${path}/guests/${list}`)).status, 200, list)
    }
  })
})
