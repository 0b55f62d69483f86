import process from "node:process"
import fc from "fast-check"
import t from "tap"
import { past } from "../support/builder.ts"
import { onEveryEngine } from "../support/database.ts"
import { histories, HistoryPlayer } from "../support/filters/histories.ts"
import { chosen, FilterWorld, guestId } from "../support/filters/world.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("a family with a filter has only those guests", async (t) => {
    const world = await FilterWorld.open(t, engine, "email")
    const { build } = world.workshop
    const [event = ""] = world.events
    const channels = ["email", "sms, EMAIL", "sms", ""]
    for (const [number, each] of channels.entries()) {
      const id = await build.guest(event, { id: guestId(number + 1), updated: past })
      await build.consent(event, id, { channels: each })
    }
    const off = await build.guest(event, { id: guestId(8), updated: past })
    await build.consent(event, off, { status: "inactive" })
    await build.guest(event, { id: guestId(9), updated: past })
    const base = `${chosen}/events/${event}`
    const json = async (path: string) => JSON.parse((await world.get(`${base}/${path}`)).text)
    const ids = (rows: { id: string }[]) => rows.map(({ id }) => id.at(-1)).sort().join("")
    for (let round = 0; round < 3; round++) {
      t.equal(ids(await json("guests?since=-1")), "12")
    }
    t.equal(ids(await json("guests?since=-1&offset=1")), "1")
    t.equal(ids(await json("guests?since=-1&q=e")), "12")
    t.equal((await json("guests/digest")).count, 2)
    t.equal((await json("guests/digest?of=content")).count, 2)
    t.equal((await json("changes")).changes.length, 2)
    t.equal((await world.get(`${base}/guests/${guestId(2)}`)).status, 200)
    t.equal((await world.get(`${base}/guests/${guestId(3)}`)).status, 404)
    t.equal((await world.get(`${base}/guests/export`)).text.split('"id"').length, 3)
    t.strictSame(await json("guests/deletions?since=-1"), [])
    const { writer } = world.workshop.database
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "in", [
      guestId(9),
      guestId(3),
    ]).execute()
    t.strictSame(await json("guests/deletions?since=-1"), [])
    await writer.updateTable("consent").set({ channels: "sms" }).where("guest_id", "=", guestId(2))
      .execute()
    t.equal(ids(await json("guests/deletions?since=-1")), "2")
    t.equal(ids(await json("guests?since=-1")), "1")
    await writer.deleteFrom("guest").where("event_id", "=", event).where("id", "=", guestId(1))
      .execute()
    t.equal(ids(await json("guests/deletions?since=-1")), "12")
    t.equal(ids(await json("guests?since=-1")), "")
  })

  await t.test("copies of a family follow its filter through any history", async (t) => {
    const player = await HistoryPlayer.open(t, engine)
    const numRuns = Number(process.env["HISTORIES"] ?? 15)
    await fc.assert(
      fc.asyncProperty(histories(engine === "mysql"), async (history) => {
        const wrong = await player.play(history)
        if (wrong.length > 0) throw new Error(wrong.join("; "))
      }),
      { numRuns, endOnFailure: false, interruptAfterTimeLimit: 1e9 },
    )
    t.pass("all are right")
  })
})
