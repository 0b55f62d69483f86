import type { Test } from "tap"
import type { Row } from "../partner/rows.ts"
import { freshApp } from "../app.ts"
import type { Engine } from "../database.ts"
import { linkOf } from "./link.ts"

/** An app with a partner who may read all events of an organization. */
export async function openJourney(
  t: Test,
  engine: Engine,
  options: Parameters<typeof freshApp>[2] = {},
) {
  const app = await freshApp(t, engine, options)
  const { build, database } = app
  const db = database.writer
  const organization = await build.organization("acme")
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const get = await app.logIn("partner")
  const read = async (path: string) => {
    const response = await get(path)
    t.equal(response.status, 200, path)
    return await response.json()
  }
  return {
    app,
    build,
    database,
    db,
    organization,
    get,
    /** Reads the body of a response that must be a 200. */
    read,
    /** Returns the path of an event. */
    of: (event: string) => `/connector-b/v1/events/${event}`,
    newEvent: () => build.event(organization),
    /** Reads a list from its first page to its end. */
    async walk(first: string): Promise<Pick<Row, "id" | "updated">[]> {
      const rows = []
      for (let path: string | undefined = first; path !== undefined;) {
        const response = await get(path)
        t.equal(response.status, 200, path)
        rows.push(...await response.json())
        path = linkOf(response)
      }
      return rows
    },
    /** Deletes records of an event. */
    remove: (table: string, ids: readonly string[], event: string) =>
      db.deleteFrom(table as "guest").where("event_id", "=", event).where("id", "in", ids)
        .execute(),
    /** Returns the time of the database. */
    now: async () =>
      (await db.selectNoFrom(database.dialect.now.as("now")).executeTakeFirstOrThrow()).now,
  }
}
