import { recorded } from "../../../support/recorded.ts"
import { type Kysely, sql } from "kysely"
import {
  findDisclosures,
  type Recipient,
} from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { disclosureTrail } from "../../../../plugins/capabilities/disclosures/disclosure-trail.ts"
import { erasureTrail } from "../../../../plugins/capabilities/disclosures/erasure-trail.ts"
import type { Schema } from "../../../../core/data/schema.ts"
import type { Observer } from "../../../../core/request/facts.ts"
import { Builder, password } from "../../../support/builder.ts"
import type { Engine } from "../../../support/database.ts"
import { type ClockedOptions, openClocked } from "../../../support/polling/clocked.ts"
import { startClocked } from "../../../support/polling/service.ts"
import { type Operation, Writer } from "../../../support/polling/writer.ts"
import { Random } from "../../../support/random.ts"
import { type Delivery, type Habit, habits, Partner, type Send } from "./partner.ts"

/** What the ledger said about the partners of some walks, against what they got. */
export interface Tally {
  walks: number
  /** Guests that partners got. */
  received: number
  /** Guests that the ledger names them for, and that they did not get. */
  more: number
}

/** How walks differ from the usual. */
export interface OracleOptions extends ClockedOptions {
  /** Changes what is recorded of a page. */
  readonly distort?: (observer: Observer) => Observer
}

const longest = 1_000_000_000

/** Partners who read, writers who change what they read, and a ledger that says who got what. */
export async function openOracle(engine: Engine, url: string, options: OracleOptions = {}) {
  const { distort = (observer) => observer } = options
  const world = await openClocked(engine, url, options)
  const observers: Observer[] = []
  const service = await startClocked(world, url, {
    observersOf: (index) => [(facts) => observers[index]?.(facts)],
  })
  const { instances, changes, build, organization, logIn } = service
  const cookies = new Map<string, string>()
  for (const account of ["reader-1", "reader-2", "reader-3", "reader-4"]) {
    await build.account(account)
    await build.grant(account, { organization: "acme" })
    cookies.set(account, "")
  }
  let loggedIn = -Infinity
  const logInAgain = async () => {
    loggedIn = world.clock.now
    for (const username of cookies.keys()) {
      const { opened } = await logIn.attempt({ username, password, address: "" })
      cookies.set(username, opened?.cookie.split(";")[0] ?? "")
    }
  }
  const writers = [new Writer(world, 30), new Writer(world, 30)]
  const odd = world.connect()

  /** Plays a trial: several walks, of one partner each. @throws if the ledger names too few. */
  async function play(seed: number, tallies: Map<string, Tally>): Promise<void> {
    const random = new Random(seed)
    for (const writer of writers) await writer.commit()
    world.clock.now += 1000
    // Before the sessions end.
    if (world.clock.now > loggedIn + 20_000_000) await logInAgain()
    const events = [await build.event(organization), await build.event(organization)] as const
    const near = random.pick([0, 0, 3600])
    const log = { debug() {}, info() {}, warn: console.error, error: console.error }
    const trails = instances.map(() => {
      const drops = { dropped: 0 }
      const times = { log, drops, delay: longest, longestPause: longest, closing: 60_000 }
      const disclosures = recorded(
        times,
        ({ batch }) => ({ record: disclosureTrail(world.database, { batch, near }) }),
      )
      const erasures = recorded(
        times,
        (recorders) => ({ record: erasureTrail(world.database, recorders) }),
      )
      return { drops, disclosures, erasures }
    })
    for (const [index, { disclosures, erasures }] of trails.entries()) {
      observers[index] = distort((facts) => {
        disclosures.record(facts)
        erasures.record(facts)
      })
    }
    for (const [index, writer] of writers.entries()) {
      writer.begin(events[index] as string, ["guests"])
      for (let target = random.between(1, 6); target > 0; target--) {
        await writer.wait(random.below(3))
        await writer.change({ operation: "insert", target, late: false })
      }
    }
    const breaks = random.below(2) === 0
    const heard = new Map(events.map((event) => [event, new Set<string>()]))
    const partners = [...cookies].map(([account, cookie], index) => {
      const family = random.pick(["/connector-a/v1", "/connector-b/v1"])
      const event = events[index === 3 ? 1 : random.below(2)] as string
      return new Partner({
        account,
        event: `${family}/events/${event}`,
        habit: random.pick(habits),
        breaks,
        heard: heard.get(event) ?? new Set(),
        random: random.fork(),
        send: senderOf(cookie, random.fork()),
      })
    })
    const isStrange = random.below(3) === 0
    // The embedded database does not follow its clock.
    const isSetBack = isStrange && engine === "mysql" && random.below(2) === 0
    for (let steps = random.between(10, 50); steps > 0; steps--) {
      const step = random.below(12)
      if (step < 6) await random.pick(partners).act(world.clock.now)
      else if (step < 9) await write(random)
      else if (step === 9 && isSetBack && random.below(3) === 0) {
        world.clock.now -= random.pick([3, 100, 5000])
        await changes.look()
      } else if (step === 9) await wait(random)
      else if (step === 10) await changes.look()
      else if (isStrange) await writeStrangely(random, random.pick(events))
      else await random.pick([() => writers[0]?.commit(), () => writers[0]?.rollBack()])()
    }
    for (const writer of writers) await writer.commit()
    await changes.look()
    for (const { disclosures, erasures, drops } of trails) {
      await disclosures.close()
      await erasures.close()
      if (drops.dropped > 0) throw new Error("entries were dropped")
    }
    for (const event of events) {
      const ofEvent = partners.filter((partner) => partner.event.includes(event))
      await compare(event, ofEvent, { tallies, isStrange, isSetBack })
    }
  }

  async function write(random: Random): Promise<void> {
    const [first, second] = writers as [Writer, Writer]
    const isSecond = random.below(4) === 0
    // The embedded database has one writer at a time.
    if (isSecond && engine === "sqlite") await first.commit()
    const operation = random.pick<Operation>([
      "insert",
      "insert",
      "update",
      "update",
      "update all",
      "consent",
      "delete",
      "delete",
      "insert again",
      "replace",
      "take back",
    ])
    const late = !isSecond && random.below(3) === 0
    await (isSecond ? second : first).change({ operation, target: random.below(100), late })
  }

  async function wait(random: Random): Promise<void> {
    const seconds = random.pick([1, 2, 31, 600, 4000])
    for (const writer of writers) await writer.wait(0)
    await writers[0]?.wait(seconds)
  }

  /** Writes times that no platform should: in the future, and of before. */
  async function writeStrangely(random: Random, event: string): Promise<void> {
    if (engine === "sqlite") { for (const writer of writers) await writer.commit() }
    const { db, stamp } = odd
    await stamp(db)
    const { now } = world.clock
    const far = now + random.pick([10, 4000, 40_000])
    const what = random.below(3)
    if (what === 0) {
      const keep = world.database.dialect.keepHistory
      await keep?.begin.execute(db)
      const updated = random.pick([now - 3000, now - 10, far])
      await new Builder({ writer: db } as never).guest(event, { created: far, updated })
      await keep?.end.execute(db)
    } else {
      await changeOne(db, event, what === 1 ? far : now - 100_000)
    }
  }

  async function changeOne(db: Kysely<Schema>, event: string, created: number): Promise<void> {
    const row = await db.selectFrom("guest").select("id").where("event_id", "=", event).limit(1)
      .executeTakeFirst()
    if (!row) return
    // A transaction of the model may have locked it.
    if (engine === "mysql") { for (const writer of writers) await writer.commit() }
    await db.updateTable("guest").set({ created }).where("event_id", "=", event)
      .where("id", "=", row.id).execute()
  }

  let turn = 0
  const senderOf = (cookie: string, random: Random) =>
  async (
    path: string,
    { method, headers, aborts }: Parameters<Send>[1],
  ): Promise<Delivery> => {
    const instance = instances[turn++ % instances.length]
    if (!instance) throw new TypeError("an instance is started")
    const response = await instance.app.fetch(
      new Request(`http://localhost${path}`, { method, headers: { ...headers, cookie } }),
      { address: "", whenGone: (listener) => listener(!aborts) },
    )
    const text = await response.text()
    const { status } = response
    if (![200, 304, 404, 410].includes(status)) throw new Error(`${path}: ${status} ${text}`)
    const arrived = aborts ? text.slice(0, random.below(text.length + 1)) : text
    return { status, headers: response.headers, text: arrived, isWhole: !aborts }
  }

  async function compare(
    event: string,
    partners: readonly Partner[],
    { tallies, isStrange, isSetBack }: {
      readonly tallies: Map<string, Tally>
      readonly isStrange: boolean
      readonly isSetBack: boolean
    },
  ): Promise<void> {
    const { rows } = await sql<{ id: string }>`select id from guest where event_id = ${event}
      union select record_id from deletion where event_id = ${event}`.execute(world.database.writer)
    const ids = rows.map(({ id }) => id)
    const deletions = await world.database.writer.selectFrom("deletion").selectAll()
      .where("event_id", "=", event).execute()
    for (const partner of partners) {
      const tally = tallyOf(tallies, partner, isStrange)
      tally.walks++
      tally.received += partner.guests.size
      for (const id of partner.guests) {
        if (!ids.includes(id)) throw new Error(`${partner.account} got ${id}, which nobody knows`)
      }
    }
    for (const id of ids) {
      const { records: [record] } = await findDisclosures(world.database, id, { eventId: event })
      for (const partner of partners) {
        const { account, guests, habit } = partner
        const found = record?.recipients.find((recipient) =>
          recipient.account === account && partner.event.startsWith(recipient.prefix)
        )
        if (guests.has(id) && !found) {
          throw new Error(`${account} (${habit}) got ${id}, and the ledger does not say so`)
        }
        if (found && !guests.has(id)) {
          tallyOf(tallies, partner, isStrange).more++
        }
        const deletion = deletions.find(({ record_id }) => record_id === id)
        if (found && deletion && record?.state === "deleted" && !isSetBack) {
          checkNotices(partner, found, { id, at: deletion.at })
        }
      }
    }
  }

  return {
    world,
    play,
    async close() {
      await service.close()
      await world.close()
    },
  }
}

function tallyOf(tallies: Map<string, Tally>, { habit, breaks }: Partner, isStrange: boolean) {
  const name = `${nameOf(habit)}${breaks ? ", aborted now and then" : ""}${
    isStrange ? ", strange times" : ""
  }`
  const none = { walks: 0, received: 0, more: 0 }
  const tally = tallies.get(name) ?? none
  tallies.set(name, tally)
  return tally
}

function nameOf(habit: Habit): string {
  if (habit === "whole") return "by cursor, at once"
  if (habit === "feed" || habit === "wild feed") return `by the ${habit}`
  return habit === "wild" ? "anything" : habit === "tags" ? "by cursor, with tags" : `by ${habit}`
}

/** What is told must have been told, and what is acknowledged must have been said. */
function checkNotices(
  partner: Partner,
  found: Recipient,
  deletion: { readonly id: string; readonly at: number },
): void {
  const { account, habit } = partner
  const what = `the deletion of ${deletion.id} at ${deletion.at}`
  if (found.told !== null && !partner.wasTold(deletion)) {
    throw new Error(`${account} (${habit}) was not told of ${what}, and the ledger says so`)
  }
  if (found.acknowledged !== null && !partner.hasAcknowledged(deletion)) {
    throw new Error(`${account} (${habit}) has not acknowledged ${what}, and the ledger says so`)
  }
}
