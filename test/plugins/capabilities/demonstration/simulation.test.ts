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
  for (const name of ["acme-export", "partner"]) {
    await build.account(name, name === "partner" ? "partner" : "service")
    await build.grant(name, { organization: "acme" })
  }
  await database.writer.updateTable("account").set({ demonstration: 1 })
    .where("username", "=", "acme-export").execute()
  const [demo, other] = [await logIn("acme-export"), await logIn("partner")]
  const events = "/acme/v1/events"
  const guests = `${events}/${event}/guests`
  const feed = `${events}/${event}/changes`
  const preferring = (prefer: string) => ({ headers: { prefer } })

  const simulated = {
    "429": { paths: [guests, `${guests}/digest`], code: "too_many_requests", has: "retry-after" },
    "503": { paths: [guests, events], code: "unavailable", has: "retry-after" },
    "410": { paths: [`${guests}/deletions`, feed], code: "resync_required", has: "complete-since" },
  }
  for (const [name, { paths, code, has }] of Object.entries(simulated)) {
    await t.test(`Prefer: simulate=${name}`, async (t) => {
      for (const path of paths) {
        const response = await demo(path, preferring(`simulate=${name}`))
        t.equal(response.status, Number(name))
        t.equal(response.headers.get("preference-applied"), `simulate=${name}`)
        t.equal(response.headers.get("content-type"), "application/problem+json")
        t.equal(response.headers.get("cache-control"), "no-store")
        t.ok(response.headers.has("ratelimit"), "it is charged like any other")
        t.ok(Number(response.headers.get(has)) > 0)
        const problem = await response.json()
        t.match(problem, { status: Number(name), code, detail: /simulated/ })
        t.equal(problem.requestId, response.headers.get("x-request-id"))
        t.equal((await demo(path)).status, 200)
      }
    })
  }

  await t.test("a feed's 410 says where to begin again, and another cursor goes on", async (t) => {
    const { next } = await (await demo(feed)).json()
    const gone = await demo(`${feed}?after=${next}`, preferring("simulate=410"))
    const start = /^<(.*)>; rel="first"$/.exec(gone.headers.get("link") ?? "")?.[1] ?? ""
    t.equal((await (await demo(start)).json()).changes.length, 3)
    t.equal((await demo(`${feed}?after=${next}`)).status, 200)
  })

  await t.test("Prefer: wait and simulate in one request; slow is the usual response, some seconds late", async (t) => {
    const etag = (await demo(guests)).headers.get("etag") ?? ""
    const refused = await demo(guests, {
      headers: { prefer: "wait=50, simulate=503", "if-none-match": etag },
    })
    t.equal(refused.status, 503)
    t.match(refused.headers.get("preference-applied"), /^(wait=50, )?simulate=503(, wait=50)?$/)
    const start = performance.now()
    const late = await demo(guests, {
      headers: { prefer: "wait=1, simulate=slow", "if-none-match": etag },
    })
    t.ok(performance.now() - start > 4900)
    t.equal(late.status, 304)
    t.match(late.headers.get("preference-applied"), /^(wait=1, )?simulate=slow(, wait=1)?$/)
  })

  await t.test("nothing is simulated for accounts with a password of their own, for other values, or in exports", async (t) => {
    const shared = guests.replace("/acme/", "/connector-b/")
    for (
      const [request, path, prefer] of [
        [other, shared, "simulate=429"],
        [other, shared, "simulate=503"],
        [other, shared, "simulate=slow"],
        [other, `${shared}/deletions`, "simulate=410"],
        [demo, guests, "simulate=410"],
        [demo, guests, "simulate=500"],
        [demo, guests, "simulate=toString"],
        [demo, guests, "simulate"],
        [demo, `${guests}/export`, "simulate=503"],
      ] as const
    ) {
      const response = await request(path, preferring(prefer))
      t.equal(response.status, 200, `${prefer} ${path}`)
      t.notOk(response.headers.has("preference-applied"))
      await response.text()
    }
  })

  await t.test("what is wrong with a request comes first", async (t) => {
    const prefer = preferring("simulate=503")
    t.equal((await demo(`${guests}?limit=0`, prefer)).status, 400)
    t.equal((await demo(guests.replace("/acme/", "/borealis/"), prefer)).status, 403)
    t.equal((await demo(guests.replace(event, crypto.randomUUID()), prefer)).status, 404)
  })

  await t.test("the health of partners does not count it, and the audit log has it", async (t) => {
    const path = `${events}/${await build.event(acme)}/guests`
    const [{ requestId }, { requestId: wrong }] = [
      await (await demo(path, preferring("simulate=503"))).json(),
      await (await demo(`${path}/deletions?limit=0`)).json(),
    ]
    const written = async () =>
      await database.writer.selectFrom("sync_state").select("error_request")
        .where("event_id", "=", path.split("/")[4] ?? "").execute()
    while ((await written()).length === 0) await setTimeout(20)
    t.same(await written(), [{ error_request: wrong }])
    const audited = async () =>
      await database.writer.selectFrom("audit_log").select(["status", "code"])
        .where("request_id", "=", requestId).executeTakeFirst()
    while (!await audited()) await setTimeout(20)
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
