import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { Database } from "../../../core/data/database.ts"
import { readTables } from "../../support/pull/tables.ts"
import { Builder } from "../../support/builder.ts"
import { RecordPlatform } from "../../support/record-platform.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Random } from "../../support/random.ts"
import { differences, tornFiles } from "../../support/pull/copies.ts"
import { type Outcome, Partner } from "../../support/pull/partner.ts"
import { Proxy } from "../../support/pull/proxy.ts"

export interface TortureOptions {
  readonly database: Database
  /** The URL of the service. */
  readonly base: string
  readonly seed: number
  /** How often clients are killed in all. */
  readonly kills: number
  /** The command of the client and its first arguments. */
  readonly program?: readonly string[] | undefined
}

export interface TortureResult {
  /** What copies differ in from the tables at the end; empty if all is well. */
  readonly differences: readonly string[]
  /** Runs by exit code; `killed` for those that were killed. */
  readonly outcomes: ReadonlyMap<string, number>
  /** How often the proxy broke a response, by fault. */
  readonly faults: ReadonlyMap<string, number>
  readonly requests: number
  readonly changes: number
  /** Records that were compared. */
  readonly compared: number
  /** Requests with credentials that followed a redirect to another host. */
  readonly leaks: number
}

const formats = ["sqlite", "ndjson", "csv"] as const
const options = ["--limit", "20", "--timeout", "2", "--patience", "20"]
/** For the last run, which nothing breaks: only a machine may be slow. */
const unhurried = ["--limit", "20", "--timeout", "120", "--patience", "240"]
/** Changes per kill, at least. */
const pace = 5

/**
 * Lets a client keep three copies of two events, while a writer changes them, a proxy breaks a quarter of the
 * responses, and the client is killed at random moments, counted in requests, so that a slow machine kills it no
 * earlier. After each kill its files must be whole. Then lets it finish, and compares the copies with the tables. There are no digests, with which it would repair a loss.
 */
export async function torture(
  { database, base, seed, kills, program }: TortureOptions,
): Promise<TortureResult> {
  const random = new Random(seed)
  const eventIds = await createEvents(database)
  const proxy = await Proxy.open(base)
  const partners = formats.map((format) => new Partner(format, { base: proxy.url, program }))
  const writer = startWriter(database, eventIds, random.fork())
  const torn: string[] = []
  const outcomes = new Map<string, number>()
  const note = (code: number | null) => {
    const name = code === null ? "killed" : `exit code ${code}`
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
  }
  try {
    proxy.breakQuarter(random.fork())
    let left = kills
    const work = async (partner: Partner, random: Random) => {
      while (left > 0 || writer.changes < pace * kills) {
        const moment = proxy.after(random.between(1, 60)).then(() => sleep(random.below(100)))
        const { code } = await partner.runAndKill(moment, options)
        note(code)
        torn.push(...tornFiles(partner))
        if (code === null) left--
      }
    }
    await Promise.all(partners.map((partner) => work(partner, random.fork())))
    await writer.stop()
    // The service answers as before, but nothing is lost on the way any more.
    proxy.hideDigests()
    // The first run finishes a walk that was interrupted. What was committed late meanwhile comes with the next.
    const final: Outcome[] = []
    for (let runs = 0; runs < 2; runs++) {
      final.push(...await Promise.all(partners.map((partner) => partner.run(unhurried))))
    }
    for (const { code } of final) note(code)
    const unfinished = final.filter(({ code }) => code !== 0)
      .map(({ code, errors }) => `a last run ended with ${code}: ${errors}`)
    const found: string[] = []
    let compared = 0
    for (const eventId of eventIds) {
      const truth = await readTables(database, eventId)
      compared += partners.length * Object.values(truth).flat().length
      found.push(...partners.flatMap((partner) => differences(partner, eventId, truth)))
    }
    return {
      differences: [...torn, ...unfinished, ...found],
      outcomes,
      faults: new Map([...proxy.counts].filter(([name]) => name !== "hidden")),
      requests: proxy.requests,
      changes: writer.changes,
      compared,
      leaks: proxy.leaks,
    }
  } finally {
    await writer.stop()
    proxy.close()
    // Their last responses may still be on the way.
    await sleep(50)
    for (const partner of partners) partner.remove()
  }
}

/** Starts the platform and an operator: records change all the time, and an event may not be read now and then. */
function startWriter(database: Database, eventIds: readonly string[], random: Random) {
  const platform = new RecordPlatform({
    events: () => eventIds,
    ago: (seconds) => sql`unixepoch() - ${sql.lit(seconds)}` as unknown as number,
    newId: () => randomUUID(),
    most: 250,
  })
  let isEnding = false
  const writer = { changes: 0, stop: () => (isEnding = true, running) }
  const run = async () => {
    for (; !isEnding; writer.changes++) {
      const { writer: db } = database
      if (random.below(12) === 0) await mayRead(random.below(2) === 0)
      else if (random.below(4) > 0) await platform.change(db, random)
      else await platform.insertOne(db, platform.place(random), randomUUID())
      await sleep(random.between(5, 60))
    }
  }
  const mayRead = async (isGranted: boolean) => {
    await database.writer.updateTable("access_grant").set({ ends: isGranted ? null : 1 })
      .where("event_id", "=", eventIds[1] ?? "").execute()
  }
  const running = run().then(() => mayRead(true))
  return writer
}

async function createEvents(database: Database): Promise<string[]> {
  const build = new Builder(database)
  const organization = await build.organization("acme")
  await build.account("acme-export", "service")
  const eventIds = [await build.event(organization), await build.event(organization)]
  for (const event of eventIds) await build.grant("acme-export", { event })
  for (const [index, eventId] of eventIds.entries()) {
    await build.guests(eventId, index === 0 ? 150 : 30)
    for (const category of itemCategories) await build.items(category, eventId, 15)
  }
  return eventIds
}
