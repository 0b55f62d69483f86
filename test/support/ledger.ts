import { measure } from "./metrics.ts"
import { setTimeout } from "node:timers/promises"
import type { Selectable, UpdateObject } from "kysely"
import t from "tap"
import type { Schema } from "../../core/data/schema.ts"
import type { Database } from "../../core/data/database.ts"
import { findDisclosures } from "../../plugins/capabilities/disclosures/find-disclosures.ts"
import { addDisclosures } from "../../plugins/capabilities/disclosures/ledger.ts"
import { startInstance } from "../conformance/instance.ts"
import { appOf, generous, testConfig } from "./app.ts"
import { Builder, past } from "./builder.ts"
import { copiedUrl, type Engine, openFor } from "./database.ts"
import { idAt } from "./same-ids.ts"
import { scannedLog } from "./scanned-log.ts"

/** The services of this process: each test has an event of its own, and none of the rows of the tests before. */
const services = new Map<Engine, ReturnType<typeof startService>>()

async function startService(engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const accountId = await build.account("acme-export", "service")
  await build.account("partner", "partner")
  // Adds the neighbour. A table that got its first record after the start would change the tags of all pages once.
  await build.event(organization)
  const { id: neighbour } = await database.writer.selectFrom("event").select("id")
    .where("organization_id", "<>", organization).executeTakeFirstOrThrow()
  const config = { ...await testConfig(url), limits: generous }
  const instance = await startInstance(config, {
    log: scannedLog(t, []),
    recorderTimes: { every: 1 },
  })
  t.teardown(() => {
    // In make quick, the files that follow run in this process, too.
    services.delete(engine)
    return instance.close()
  })
  const request = (path: string, init?: RequestInit) =>
    instance.fetch(new Request(new URL(path, "http://localhost"), init))
  const send = await appOf(database, [], request).logIn("acme-export")
  return { database, instance, build, organization, accountId, neighbour, send }
}

/**
 * Notes that an account received all guests of a neighbour by the same list, and was told of, acknowledged and attested
 * all deletions there, among them those of guests with the first ids.
 */
async function addLedgerOfNeighbour(
  { writer, ...database }: Database,
  { accountId, neighbour }: { readonly accountId: string; readonly neighbour: string },
): Promise<void> {
  const list = { prefix: "/acme/v1", list: "guests" }
  const far = 4_000_000_000
  await addDisclosures({ ...database, writer } as Database, [{
    ...{ ...list, eventId: neighbour, accountId, fields: ["Guest.email"], whole: true },
    ...{ from: -1, to: far, at: past, next: 0 },
  }], { near: 0, known: new Set(), signal: new AbortController().signal })
  await writer.insertInto("erasure_notice").values(
    (["told", "acknowledged", "attested"] as const).map((kind) => ({
      ...{ ...list, kind, event_id: neighbour, account_id: accountId },
      ...{ from_time: 0, to_time: far, at: past },
    })),
  ).execute()
  await writer.insertInto("deletion").values([0, 1, 2].map((index) => ({
    ...{ event_id: neighbour, category: "guests", record_id: idAt(index) },
    ...{ at: past + 50, created: past, updated: past },
  }))).execute()
}

/** Returns a service with a new event that `acme-export` and `partner` may read. */
export async function startLedger(engine: Engine) {
  const starting = services.get(engine) ?? startService(engine)
  services.set(engine, starting)
  const service = await starting
  const { database, instance, build, organization, accountId, neighbour, send } = service
  for (const table of ["disclosure", "erasure_notice", "deletion", "record_start"] as const) {
    await database.writer.deleteFrom(table).execute()
  }
  await addLedgerOfNeighbour(database, { accountId, neighbour })
  const event = await build.event(organization)
  for (const name of ["acme-export", "partner"]) await build.grant(name, { event })

  /** Waits until everything about disclosures is written that requests have left. */
  const written = async () => {
    for (;;) {
      const waits = (batch: string) => measure(instance, "batch_waiting", { batch })
      if (await waits("disclosures") === 0 && await waits("erasures") === 0) return
      await setTimeout(2)
    }
  }
  /** Returns what is known of a guest of the event. Guests of the events of other tests have the same id. */
  const recordOf = async (guest: string) => {
    await written()
    const { records } = await findDisclosures(database, guest)
    return records.find((record) => record.event.id === event)
  }
  return {
    database,
    build,
    organization,
    event,
    written,
    /** Requests something of the event as `acme-export`. */
    request: (path: string, init?: RequestInit) => send(`/acme/v1/events/${event}/${path}`, init),
    recordOf,
    /** Returns the rows of the event. */
    rowsOf: async <Table extends "disclosure" | "erasure_notice">(table: Table) =>
      await database.writer.selectFrom(table as "disclosure").selectAll()
        .where("event_id", "=", event).orderBy("seq").execute() as unknown as Selectable<
          Schema[Table]
        >[],
    /** Deletes a record of the event. */
    async remove(id: string, table: "guest" | "ticket" = "guest") {
      await database.writer.deleteFrom(table).where("event_id", "=", event).where("id", "=", id)
        .execute()
    },
    /** Changes what is known of the deletions of the event; of one record, if it is given. */
    async setDeletion(values: UpdateObject<Schema, "deletion">, id?: string) {
      await database.writer.updateTable("deletion").set(values).where("event_id", "=", event)
        .$if(id !== undefined, (query) => query.where("record_id", "=", id ?? "")).execute()
    },
    /** Returns who received a guest of the event. */
    recipientsOf: async (guest: string) => (await recordOf(guest))?.recipients ?? [],
  }
}
