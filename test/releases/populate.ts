import { setTimeout as sleep } from "node:timers/promises"
import { sql } from "kysely"
import type { AddressKind } from "../../core/data/record-tables.ts"
import { itemCategories } from "../../core/records/kinds/items.ts"
import { Builder, password } from "../support/builder.ts"
import type { Stage } from "../support/pull/stage.ts"

/** Tables that polls fill after their responses. */
const filledLater = ["audit_log", "sync_state", "disclosure", "partner_hour"] as const

/** Inserts records of every kind, changes and deletes some, and lets partners poll them. */
export async function populate({ database, base }: Stage): Promise<void> {
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const eventId = await build.event(organization)
  await build.event(await build.organization("borealis"), {
    status: "closed",
    name: "O'Neill's ball",
  })
  await build.account("acme-export", "service")
  await build.account("partner")
  await build.account("operator", "operator")
  await build.grant("acme-export", { organization: "acme" })
  await build.grant("partner", { event: eventId })
  const [guest = "", changed = "", deleted = ""] = await build.guests(eventId, 4)
  await build.consent(eventId, guest)
  for (const kind of ["main", "gift_aid", "tax_receipt"] satisfies AddressKind[]) {
    await build.address(eventId, guest, { kind, line2: "c/o \"Ada\" \\ 'Charles'" })
  }
  for (const category of itemCategories) await build.items(category, eventId, 2)
  const pledge = await build.item("pledges", eventId)
  const read = await partner(base)
  await read(`/acme/v1/events`)
  await read(`/acme/v1/events/${eventId}/guests?since=-1`)
  await read(`/acme/v1/events/${eventId}/items?since=-1`)
  const { writer } = database
  await writer.updateTable("guest").set({ last_name: "Łódź 东京 😀" }).where("id", "=", changed)
    .execute()
  await writer.deleteFrom("guest").where("id", "=", deleted).execute()
  await writer.deleteFrom("pledge").where("id", "=", pledge).execute()
  await read(`/acme/v1/events/${eventId}/guests/deletions`)
  for (const table of filledLater) {
    const count = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`
    while (Number((await count.execute(writer)).rows[0]?.count) === 0) await sleep(50)
  }
}

/** Logs in and returns a function that reads a path. */
async function partner(base: string): Promise<(path: string) => Promise<void>> {
  const session = await fetch(`${base}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "acme-export", password }),
  })
  const [cookie = ""] = (session.headers.getSetCookie()[0] ?? "").split(";")
  return async (path) => {
    const response = await fetch(base + path, { headers: { cookie } })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} is ${response.status}`)
  }
}
