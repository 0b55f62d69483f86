import { findReadable } from "../../../core/accounts.ts"
import { settingsOf } from "../../../core/capability.ts"
import { type Content, table, time } from "../../design/design.ts"
import { oncePerVisit, type OwnAddition, type OwnVisit } from "../../documents/me/page.ts"

/** What an account is shown of the ledger: what it was sent is only said, not listed. */
export const own: readonly OwnAddition[] = [
  {
    kind: "section",
    order: 60,
    id: "deletions",
    title: "Deletions that you know of",
    render: showNotices,
  },
  { kind: "seen", order: 40, render: tellOfLedger },
]

/** Shows up to when the caller knows of the deletions of each list, and when that was acknowledged last. */
async function showNotices(visit: OwnVisit): Promise<Content> {
  const { now } = visit.caller
  const lists = Map.groupBy(await readOwnNotices(visit), ({ event, list }) => `${event} ${list}`)
  if (lists.size === 0) return undefined
  return table(
    "Deletions that you were told about, and have acknowledged",
    ["Event", "List", "Told, until", "Acknowledged by since, until", "By digest, until", "Last"],
    [...lists.values()].map((same) => {
      const until = (wanted: string) => time(same.find(({ kind }) => kind === wanted)?.to, now)
      const [last] = same
      const kinds = ["told", "acknowledged", "attested"].map(until)
      return [last?.name, last?.list, ...kinds, time(last?.at, now)]
    }),
  )
}

function tellOfLedger({ internals: { plan } }: OwnVisit): Content {
  const { retention } = settingsOf<{ readonly retention: number }>(plan, "disclosures")
  return `Which records you were sent, when, and which fields they had; which deletions you were told about, and say that
    you have applied. It is kept for ${retention} days after you were last sent a record.`
}

/** Reads the last notices of the caller's about the events that they may read from where they are. */
const readOwnNotices = oncePerVisit(async ({ internals: { readable }, caller, ip }: OwnVisit) => {
  const { account: { id } } = caller
  return await readable.snapshot(async (snapshot) => {
    const { events } = await findReadable(snapshot, id, ip)
    if (events.length === 0) return []
    const names = new Map(events.map((event) => [event.id, event.name]))
    const { db, run } = snapshot
    const rows = await run(
      db.selectFrom("erasure_notice")
        .select(["event_id", "list", "kind"])
        .select((eb) => [eb.fn.max<number>("at").as("at"), eb.fn.max<number>("to_time").as("to")])
        .where("event_id", "in", [...names.keys()])
        .where("list", "in", ["guests", "items"])
        .where("account_id", "=", id)
        .groupBy(["event_id", "list", "kind"]),
    )
    return rows.map(({ event_id, ...row }) => ({
      ...row,
      event: event_id,
      name: names.get(event_id),
    }))
      .toSorted((a, b) => b.at - a.at)
  })
})
