import { createHash } from "node:crypto"
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import type { Test } from "tap"
import { capabilityNames } from "../../../../core/config/installed.ts"
import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { countOverdue, listOverdue } from "../../../../plugins/capabilities/disclosures/overdue.ts"
import { configWith, secret } from "../../../support/app.ts"
import { type Engine, onEveryEngine } from "../../../support/database.ts"
import { chosen, FilterWorld, guestId, unfiltered } from "../../../support/filters/world.ts"
import { measure } from "../../../support/metrics.ts"
import { type Get, getFrom } from "../../../support/partner/reply.ts"
import { runCommand } from "../../../support/run-command.ts"
import { logInto } from "../../../support/service.ts"

const withdrawals = { hours: 24 }
const anHour = 3600
const aDay = 24 * anHour

/** Two accounts, a family that chooses guests by e-mail and one that has all; six guests, of whom three are chosen. */
class Stage {
  readonly world: FilterWorld
  readonly partner: Get
  readonly other: Get

  static async open(t: Test, engine: Engine): Promise<Stage> {
    const world = await FilterWorld.open(t, engine, "email")
    const { build } = world.workshop
    await build.account("other")
    await build.grant("other", { organization: "acme" })
    const { cookie } = await logInto(world.service.fetch, "other")
    await world.guests(world.events[0] ?? "", ["email", "sms, Email", "sms", null, "email", ""])
    return new Stage(world, getFrom(world.service.fetch, cookie))
  }

  private constructor(world: FilterWorld, other: Get) {
    this.world = world
    this.partner = world.get
    this.other = other
  }

  get database() {
    return this.world.workshop.database
  }

  get event() {
    const [id = ""] = this.world.events
    return { id, name: id }
  }

  /** Requests something of an event. Resolves when all that is known of it is written. */
  async poll(who: Get, family: string, path: string, event = this.event.id) {
    const reply = await who(`${family}/events/${event}/${path}`)
    if (reply.status !== 200) throw new Error(reply.text)
    await this.world.written()
    return reply
  }

  /** Polls with the digest of a copy that has what the list has. */
  async attest(who: Get, family: string): Promise<void> {
    const { text, headers } = await this.poll(who, family, "guests/digest")
    const { buckets } = JSON.parse(text) as { buckets: Record<string, { digest: string }> }
    const lines = Object.entries(buckets).map(([name, { digest }]) => `${name} ${digest}\n`)
    const mine = createHash("sha256").update(lines.join("")).digest("hex")
    await this.poll(who, family, `guests/digest?mine=${mine}&fields=${headers.get("fields")}`)
  }

  /** Changes a guest's consent, or deletes it. */
  async consent(
    guest: number,
    values: { readonly status?: string; readonly channels?: string } | undefined,
    event = this.event.id,
  ): Promise<void> {
    const { writer } = this.database
    const ofGuest = { event_id: event, guest_id: guestId(guest) }
    if (values) {
      await writer.updateTable("consent").set(values).where((eb) => eb.and(ofGuest)).execute()
    } else await writer.deleteFrom("consent").where((eb) => eb.and(ofGuest)).execute()
  }

  async remove(guest: number): Promise<void> {
    await this.database.writer.deleteFrom("guest").where("event_id", "=", this.event.id)
      .where("id", "=", guestId(guest)).execute()
  }

  /**
   * Lets everything that was deleted, withdrawn or sent after a time be so many seconds ago: what was sent before the
   * rest. Returns the time of the rest.
   */
  async age(seconds: number, after = 0): Promise<number> {
    const { writer, dialect } = this.database
    const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
    const at = now - seconds
    await writer.updateTable("departure").set({ at }).where("at", ">", after).execute()
    await writer.updateTable("deletion").set({ at }).where("at", ">", after).execute()
    if (after === 0) {
      const sent = at - 50
      await writer.updateTable("disclosure")
        .set({ first_at: sent, last_at: sent, first_next: sent }).execute()
    }
    return at
  }

  async overdue(hours = withdrawals, days = 7) {
    return await listOverdue(this.database, days, hours)
  }

  /** Returns what is known of a guest, by account and family. */
  async known(guest: number) {
    const { records } = await findDisclosures(this.database, guestId(guest), { withdrawals })
    const record = records.find(({ event }) => event.id === this.event.id)
    return Object.fromEntries((record?.recipients ?? []).map(
      ({ account, prefix, withdrawn, told, acknowledged, attested }) => [
        `${account} ${prefix}`,
        { withdrawn, told, acknowledged, attested },
      ],
    ))
  }
}

await t.test("without the capability filters, the ledger asks for none", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "event-export.yaml")
  writeFileSync(file, configWith(capabilityNames().filter((name) => name !== "filters")))
  const env = { DATABASE_URL: `sqlite:${join(folder, "test.db")}`, SESSION_SECRET: secret }
  const run = (args: string) =>
    runCommand(`-c ${file} ${args}`, { env: { ...env, PORT: "0", ADMIN_PORT: "0" } })
  t.match(await run("migrate"), { code: 0 })
  t.match(await run("disclosures --overdue"), { code: 0, out: /^Every deletion/ })
  t.match(await run(`disclosures --guest ${guestId(1)}`), { code: 0, out: /^No guest/ })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("the ledger tells who had a guest that withdrew, and what they know of it, by the list that it left", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, other } = stage
    for (const family of [chosen, unfiltered]) await stage.poll(partner, family, "guests?since=-1")
    await stage.poll(other, unfiltered, "guests?since=-1")
    await stage.consent(1, { channels: "sms" })
    await stage.consent(2, undefined)
    await stage.consent(5, { status: "inactive" })
    // They were never chosen, or come to be.
    await stage.consent(3, { status: "inactive" })
    await stage.consent(6, { status: "active" })
    // Only lists without a filter tell that.
    await stage.remove(4)
    const at = await stage.age(25 * anHour)
    // Whoever reads the list after that had none of them.
    await stage.poll(other, chosen, "guests?since=-1")
    const late = { event: stage.event, kind: "withdrawn", first: at, last: at }
    t.match(await stage.overdue(), [{ account: "partner", guests: 3, ...late }])
    t.strictSame((await stage.overdue()).length, 1)
    t.strictSame(await stage.overdue({ hours: 26 }), [])
    const counts = await countOverdue(stage.database, 7, withdrawals)
    t.strictSame([...counts.withdrawn].toSorted(), [["other", 0], ["partner", 3]])
    t.strictSame([...counts.deleted].toSorted(), [["other", 0], ["partner", 0]])
    const nothing = { told: null, acknowledged: null, attested: null }
    const left = { withdrawn: at, ...nothing }
    const stays = { withdrawn: null, ...nothing }
    for (const guest of [1, 2, 5]) {
      t.strictSame(await stage.known(guest), {
        [`partner ${chosen}`]: left,
        [`partner ${unfiltered}`]: stays,
        [`other ${unfiltered}`]: stays,
      })
    }
    // A list with a filter never had the first two. Of the last, nobody knows since when it has it.
    for (const guest of [3, 4, 6]) {
      const known = await stage.known(guest)
      t.equal(`partner ${chosen}` in known, guest === 6)
      t.ok(Object.values(known).every(({ withdrawn }) => withdrawn === null))
    }
    // What it told of them may have been forgotten.
    const { writer } = stage.database
    const versions = { seq: 0, changes: 0, mark: 0 }
    await writer.insertInto("event_version")
      .values({ event_id: stage.event.id, ...versions, forgotten_departures: at }).execute()
    t.ok(`partner ${chosen}` in await stage.known(3))
    await writer.updateTable("event_version").set({ forgotten_departures: at - 100 }).execute()
    t.notOk(`partner ${chosen}` in await stage.known(3))
    // Between two filters, other processes may use the former one.
    await writer.updateTable("list_filter").set({ former: "consented" }).execute()
    t.ok(`partner ${chosen}` in await stage.known(3))
    await writer.updateTable("list_filter").set({ former: null }).execute()

    const knows = async () => (await stage.known(1))[`partner ${chosen}`]
    for (const since of [at, at + 1]) {
      await stage.poll(partner, unfiltered, `guests/deletions?since=${since}`)
    }
    await stage.attest(partner, unfiltered)
    t.match((await stage.known(4))[`partner ${unfiltered}`], {
      ...{ told: Number, acknowledged: Number, attested: Number },
    })
    t.strictSame(await knows(), left, "a list that has them all says nothing of it")
    t.match(await stage.overdue(), [{ account: "partner", guests: 3 }])
    await stage.poll(other, chosen, `guests/deletions?since=${at + 1}`)
    await stage.poll(partner, chosen, `guests/deletions?since=${at}`)
    t.match(await knows(), { ...left, told: Number })
    t.match(await stage.overdue(), [{ account: "partner", guests: 3 }])
    await stage.poll(partner, chosen, `guests/deletions?since=${at + 1}`)
    t.match(await knows(), { told: Number, acknowledged: Number, attested: null })
    t.strictSame(await stage.overdue(), [])
    await stage.attest(partner, chosen)
    t.match(await knows(), { told: Number, acknowledged: Number, attested: Number })
    t.strictSame((await stage.known(1))[`other ${unfiltered}`], stays)
  })

  await t.test("who consents again is not overdue, and is once more after another withdrawal", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner } = stage
    await stage.poll(partner, chosen, "guests?since=-1")
    await stage.consent(1, { status: "inactive" })
    const at = await stage.age(30 * anHour)
    t.match(await stage.overdue(), [{ guests: 1, first: at }])
    await stage.consent(1, { status: "active" })
    t.strictSame(await stage.overdue(), [])
    t.match(await stage.known(1), { [`partner ${chosen}`]: { withdrawn: null } })
    await stage.poll(partner, chosen, `guests/deletions?since=${at + 1}`)
    await stage.consent(1, { channels: "" })
    const again = await stage.age(25 * anHour, at)
    t.match(await stage.overdue(), [{ guests: 1, first: again }])
    t.match(await stage.known(1), { [`partner ${chosen}`]: { acknowledged: null } })
    await stage.poll(partner, chosen, `guests/deletions?since=${again}`)
    t.match(await stage.overdue(), [{ guests: 1, first: again }])
    await stage.poll(partner, chosen, `guests/deletions?since=${again + 1}`)
    t.strictSame(await stage.overdue(), [])
  })

  await t.test("a guest that is deleted after its withdrawal keeps that time; one that is only deleted has not withdrawn", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, other } = stage
    await stage.poll(partner, chosen, "guests?since=-1")
    await stage.poll(other, unfiltered, "guests?since=-1")
    await stage.consent(1, { channels: "sms" })
    const withdrawn = await stage.age(4 * aDay)
    for (const guest of [1, 2, 3]) await stage.remove(guest)
    const deleted = await stage.age(3 * aDay, withdrawn)
    const late = async (days: number) =>
      (await stage.overdue(withdrawals, days)).map(({ account, kind, guests, first }) => [
        ...[account, kind, guests, first],
      ])
    t.strictSame(await late(7), [["partner", "withdrawn", 1, withdrawn]])
    t.strictSame((await late(2)).toSorted(), [
      ["other", "deleted", 3, deleted],
      // The third was in no list with its filter.
      ["partner", "deleted", 1, deleted],
      ["partner", "withdrawn", 1, withdrawn],
    ])
    t.match(await stage.known(1), { [`partner ${chosen}`]: { withdrawn } })
    t.match(await stage.known(2), { [`partner ${chosen}`]: { withdrawn: null } })
    await stage.poll(partner, chosen, `guests/deletions?since=${withdrawn + 1}`)
    t.strictSame((await late(2)).toSorted(), [
      ["other", "deleted", 3, deleted],
      ["partner", "deleted", 1, deleted],
    ])
    await stage.poll(partner, chosen, `guests/deletions?since=${deleted + 1}`)
    await stage.poll(other, unfiltered, `guests/deletions?since=${deleted + 1}`)
    t.strictSame(await late(2), [])
  })

  await t.test("whom another filter of the family leaves out has to be acknowledged like a withdrawal", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, world } = stage
    await stage.poll(partner, chosen, "guests?since=-1")
    await world.change("sms")
    await world.settled()
    const at = await stage.age(25 * anHour)
    t.match(await stage.overdue(), [{ account: "partner", kind: "withdrawn", guests: 2 }])
    t.match(await stage.known(1), { [`partner ${chosen}`]: { withdrawn: at } })
    t.match(await stage.known(2), { [`partner ${chosen}`]: { withdrawn: null } })
    for (const since of [at, at + 1]) {
      await stage.poll(partner, chosen, `guests/deletions?since=${since}`)
    }
    t.strictSame(await stage.overdue(), [])
  })

  await t.test("what a list told by a filter that it has no more says nothing of other lists", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, world } = stage
    await stage.poll(partner, unfiltered, "guests?since=-1")
    await stage.poll(partner, chosen, "guests?since=-1")
    await stage.remove(3)
    const at = await stage.age(60)
    for (const since of [at, at + 1]) {
      await stage.poll(partner, chosen, `guests/deletions?since=${since}`)
    }
    const nothing = { told: null, acknowledged: null, attested: null }
    t.match((await stage.known(3))[`partner ${unfiltered}`], nothing)
    await world.change("all")
    await world.settled()
    await stage.poll(partner, chosen, `guests/deletions?since=${at + 1}`)
    t.match((await stage.known(3))[`partner ${unfiltered}`], nothing)
  })

  await t.test("a guest of another event with the same id is another guest", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, world: { events: [, second = ""] } } = stage
    await stage.world.guests(second, ["email", "email"])
    await stage.poll(partner, chosen, "guests?since=-1")
    await stage.poll(partner, chosen, "guests?since=-1", second)
    await stage.consent(1, { channels: "sms" }, second)
    await stage.consent(2, { channels: "sms" })
    const at = await stage.age(25 * anHour)
    t.match(await stage.known(1), { [`partner ${chosen}`]: { withdrawn: null } })
    t.strictSame((await stage.overdue()).map(({ event: { id } }) => id).toSorted(), [
      ...stage.world.events,
    ])
    await stage.poll(partner, chosen, `guests/deletions?since=${at}`)
    await stage.poll(partner, chosen, `guests/deletions?since=${at + 1}`)
    t.match(await stage.overdue(), [{ event: { id: second }, guests: 1 }])
    await stage.poll(partner, chosen, `guests/deletions?since=${at}`, second)
    await stage.poll(partner, chosen, `guests/deletions?since=${at + 1}`, second)
    t.strictSame(await stage.overdue(), [])
  })

  await t.test("no poll while a withdrawal is not committed acknowledges it", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, database } = stage
    await stage.poll(partner, chosen, "guests?since=-1")
    // Its acknowledgement is written, whatever else a poll says.
    await stage.consent(2, { channels: "sms" })
    await stage.age(25 * anHour)
    const next = async (since: number) => {
      const path = `${chosen}/events/${stage.event.id}/guests/deletions?since=${since}`
      return Number((await partner(path)).headers.get("next-since"))
    }
    let since = 0
    await database.writer.transaction().execute(async (db) => {
      await db.updateTable("consent").set({ status: "inactive" })
        .where("event_id", "=", stage.event.id).where("guest_id", "=", guestId(1)).execute()
      const { now } = await db.selectNoFrom(database.dialect.now.as("now"))
        .executeTakeFirstOrThrow()
      since = await next(now + 30)
    })
    await stage.world.written()
    const knows = async (guest: number) => (await stage.known(guest))[`partner ${chosen}`]
    t.match(await knows(2), { withdrawn: Number, acknowledged: Number })
    t.match(await knows(1), { withdrawn: Number, acknowledged: null })
    const { withdrawn } = await knows(1) ?? {}
    while (since <= (withdrawn ?? 0)) {
      since = await next(since)
      await stage.world.written()
      t.match(await knows(1), { acknowledged: null })
      await setTimeout(200)
    }
    await next(since)
    await stage.world.written()
    t.match(await knows(1), { acknowledged: Number })
  })

  await t.test("withdrawals are on the page, in the command and in a metric, after the time of the setting", async (t) => {
    const stage = await Stage.open(t, engine)
    const { partner, world: { workshop } } = stage
    await stage.poll(partner, chosen, "guests?since=-1")
    await stage.consent(1, { channels: "sms" })
    await stage.age(25 * anHour)
    appendFileSync(workshop.file, "  - use: console\n")
    const run = async (rest: string) =>
      (await runCommand(`-c ${workshop.file} disclosures ${rest}`)).out
    const row = /^partner +\S+ +\S+ +1 +withdrawn /m
    t.match(await run("--overdue"), row)
    t.match(await run("--overdue --days 1"), row)
    t.match(await run("--overdue --days 2"), /every withdrawal, or 48 hours/)
    const guest = guestId(1)
    t.match(await run(`--guest ${guest}`), / WITHDRAWN +TOLD .*\npartner .* 2\S+Z +never +never/)
    t.notMatch(await run(`--guest ${guestId(3)}`), /WITHDRAWN/)
    await workshop.build.account("op", "operator")
    const { instance, fetch } = await workshop.start()
    const operator = await logInto(fetch, "op")
    const page = await (await operator(`/console/disclosures?guest=${guest}`)).text()
    t.match(page, /<th[^>]*>Withdrawn</)
    t.match(page, /<td[^>]*>withdrawn</)
    const overdue = () => measure(instance, "withdrawals_overdue", { account: "partner" })
    while (await overdue() === undefined) await setTimeout(5)
    t.equal(await overdue(), 1)
    appendFileSync(workshop.file, "disclosures: { withdrawals: 26 }\n")
    t.match(await run("--overdue"), /^Every deletion .* 26 hours/)
  })
})
