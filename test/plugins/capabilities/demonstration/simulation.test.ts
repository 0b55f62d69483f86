import { setTimeout } from "node:timers/promises"
import t from "tap"
import { usual } from "../../../../plugins/capabilities/usual.ts"
import { fillElsewhere, freshApp } from "../../../support/app.ts"
import { onEmbedded } from "../../../support/database.ts"

await onEmbedded(t, async (t, engine) => {
  const { database, build, logIn } = await freshApp(t, engine, { prepare: fillElsewhere })
  const acme = await build.organization("acme")
  const event = await build.event(acme)
  await build.guests(event, 3)
  for (const [name, role] of [["acme-export", "service"], ["partner", "partner"]] as const) {
    await build.account(name, role)
    await build.grant(name, { organization: "acme" })
  }
  await database.writer.updateTable("account").set({ demonstration: 1 })
    .where("username", "=", "acme-export").execute()
  const [demo, other] = [await logIn("acme-export"), await logIn("partner")]
  const events = "/acme/v1/events"
  const guests = `${events}/${event}/guests`
  const feed = `${events}/${event}/changes`
  const shared = guests.replace("/acme/", "/connector-b/")
  const preferring = (prefer: string) => ({ headers: { prefer } })

  const errors = [
    ["429", guests, "too_many_requests", "retry-after"],
    ["429", `${guests}/digest`, "too_many_requests", "retry-after"],
    ["503", events, "unavailable", "retry-after"],
    ["410", `${guests}/deletions`, "resync_required", "complete-since"],
    ["410", feed, "resync_required", "complete-since"],
  ] as const
  await t.test("Prefer: simulate= of an account of the demonstration gives an error like a real one", async (t) => {
    for (const [status, path, code, has] of errors) {
      const response = await demo(path, preferring(`simulate=${status}`))
      t.equal(response.status, Number(status))
      t.match(Object.fromEntries(response.headers), {
        "preference-applied": `simulate=${status}`,
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        ratelimit: String,
        [has]: /^[1-9]/,
      })
      const requestId = response.headers.get("x-request-id")
      t.match(await response.json(), {
        status: Number(status),
        code,
        requestId,
        detail: /simulated/,
      })
      t.equal((await demo(path)).status, 200)
    }
  })

  await t.test("a feed's 410 says where to begin again, and another cursor goes on", async (t) => {
    const { next } = await (await demo(feed)).json()
    const gone = await demo(`${feed}?after=${next}`, preferring("simulate=410"))
    const start = /^<(.*)>; rel="first"$/.exec(gone.headers.get("link") ?? "")?.[1] ?? ""
    t.equal((await (await demo(start)).json()).changes.length, 3)
    t.equal((await demo(`${feed}?after=${next}`)).status, 200)
  })

  await t.test("Prefer: wait and simulate in one request; slow is the usual response, late", async (t) => {
    const etag = (await demo(guests)).headers.get("etag") ?? ""
    const ask = (prefer: string, signal?: AbortSignal) =>
      demo(guests, { headers: { prefer, "if-none-match": etag }, ...signal && { signal } })
    const refused = await ask("wait=50, simulate=503")
    t.equal(refused.status, 503)
    t.match(refused.headers.get("preference-applied"), /^(wait=50, )?simulate=503(, wait=50)?$/)
    const client = new AbortController()
    let isAnswered = false
    const late = ask("simulate=slow", client.signal).finally(() => isAnswered = true)
    for (let n = 0; n < 10; n++) t.equal((await ask("none")).status, 304)
    t.notOk(isAnswered)
    client.abort()
    const { status, headers } = await late
    t.match([status, headers.get("preference-applied")], [304, "simulate=slow"])
  })

  const unchanged = [
    [other, shared, "simulate=429", 200],
    [other, shared, "simulate=slow", 200],
    [other, `${shared}/deletions`, "simulate=410", 200],
    [demo, guests, "simulate=410", 200],
    [demo, guests, "simulate=500", 200],
    [demo, guests, "simulate=toString", 200],
    [demo, guests, "simulate", 200],
    [demo, `${guests}/export`, "simulate=503", 200],
    [demo, `${guests}?limit=0`, "simulate=503", 400],
    [demo, guests.replace("/acme/", "/borealis/"), "simulate=503", 403],
    [demo, guests.replace(event, crypto.randomUUID()), "simulate=503", 404],
  ] as const
  await t.test("nothing is simulated for other accounts and values, in exports, or if something else is wrong", async (t) => {
    for (const [request, path, prefer, status] of unchanged) {
      const response = await request(path, preferring(prefer))
      t.equal(response.status, status, `${prefer} ${path}`)
      t.notOk(response.headers.has("preference-applied"))
      await response.text()
    }
  })

  await t.test("the health of partners does not count it, and the audit log has it", async (t) => {
    const path = `${events}/${await build.event(acme)}/guests`
    const { requestId } = await (await demo(path, preferring("simulate=503"))).json()
    const { requestId: wrong } = await (await demo(`${path}/deletions?limit=0`)).json()
    const written = async () =>
      await database.writer.selectFrom("sync_state").select("error_request")
        .where("event_id", "=", path.split("/")[4] ?? "").execute()
    while ((await written()).length === 0) await setTimeout(5)
    t.same(await written(), [{ error_request: wrong }])
    const audited = async () =>
      await database.writer.selectFrom("audit_log").select(["status", "code"])
        .where("request_id", "=", requestId).executeTakeFirst()
    while (!await audited()) await setTimeout(5)
    t.same(await audited(), { status: 503, code: null })
  })
})

await t.test("without the demonstration, its accounts get nothing simulated", async (t) => {
  const capabilities = usual.filter((name) => name !== "demonstration")
  const { database, build, logIn } = await freshApp(t, "sqlite", { capabilities })
  await build.account("partner")
  await build.grant("partner", { organization: await build.organization("acme") && "acme" })
  await database.writer.updateTable("account").set({ demonstration: 1 }).execute()
  const request = await logIn("partner")
  const response = await request("/connector-b/v1/events", {
    headers: { prefer: "simulate=503" },
  })
  t.equal(response.status, 200)
  t.notOk(response.headers.has("preference-applied"))
})
