import { findReadable, settingsOf } from "../../../core/capability.ts"
import { type Content, html, table, time } from "../../design/design.ts"
import { type Addition, oncePerVisit, type Visit } from "../../documents/me/page.ts"

/** What an account is shown of the ledger: what it was sent is only said, not listed. */
export const own: readonly Addition[] = [
  { kind: "copy", order: 10, render: showAttested },
  { kind: "seen", order: 40, render: showNotices },
]

async function showAttested(visit: Visit): Promise<Content> {
  const { now } = visit.caller
  const rows = (await readOwnNotices(visit)).filter(({ kind }) => kind === "attested")
  if (rows.length === 0) return undefined
  return html`
    ${table(
      "Your last acknowledgements: of deletions, by the digest of your copy",
      ["Event", "List", "Acknowledged", "Deletions until"],
      rows.map(({ name, list, at, to }) => [name, list, time(at, now), time(to, now)]),
    )}
    <p class="quiet">Only those are kept between which something was deleted.</p>
  `
}

async function showNotices(visit: Visit): Promise<Content> {
  const { plan } = visit.inside
  const { now } = visit.caller
  const { retention } = settingsOf<{ readonly retention: number }>(plan, "disclosures")
  const rows = Map.groupBy(await readOwnNotices(visit), ({ event, list }) => `${event} ${list}`)
  return html`
    Which records you were sent, when, and which fields they had; and which deletions you were told about, and say that you
    have applied. It is kept for ${retention} days after you were last sent a record.
    ${rows.size > 0 && table(
      "Deletions that you know about, until",
      ["Event", "List", "Told", "Acknowledged by since", "Acknowledged by digest"],
      [...rows.values()].map((same) => {
        const until = (wanted: string) => same.find(({ kind }) => kind === wanted)?.to
        const [{ name, list } = { name: "", list: "" }] = same
        return [
          name,
          list,
          time(until("told"), now),
          time(until("acknowledged"), now),
          time(until("attested"), now),
        ]
      }),
    )}
  `
}

/** Reads the last notices of the caller's about the events that they may read from where they are. */
const readOwnNotices = oncePerVisit(async ({ inside: { readable }, caller, ip }: Visit) => {
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
