import { Problem } from "../../../core/plugin.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { command, type Html, html, quoted, state, table, time } from "../../design/design.ts"
import {
  type Addition,
  type Hit,
  mayChange,
  queryOf,
  respond,
  sessionOf,
  type Visit,
} from "../../service/console/page.ts"
import { type DisclosureReport, findDisclosures } from "./find-disclosures.ts"
import { withdrawalsOf } from "./ends.ts"
import { listOverdue, type Overdue, overdueDays } from "./overdue.ts"

/** Who received a guest's data, in the console. */
export const pages: readonly Addition[] = [
  {
    kind: "page",
    method: "GET",
    path: "/disclosures",
    entry: { name: "Disclosures", order: 60 },
    show: showDisclosures,
  },
  { kind: "finder", order: 40, find: findGuest },
]

const anId = /^[0-9a-f-]{36}$/i

/** Finds the guest with an id, if anything is known of it. */
async function findGuest(visit: Visit, text: string): Promise<readonly Hit[]> {
  if (!anId.test(text) || !mayChange(visit)) return []
  const { plan, readable } = visit.internals
  const withdrawals = withdrawalsOf(plan)
  const { guest, records } = await findDisclosures(readable, text, { withdrawals })
  if (records.length === 0) return []
  const events = records.map(({ event }) => event.name ?? event.id).join(", ")
  return [{
    kind: "Guest",
    name: html`<code>${guest}</code>`,
    path: `/disclosures?guest=${guest}`,
    about: `of ${events}: who has received it`,
  }]
}

/** Shows who received a guest's data, and the erasures that partners have not acknowledged. */
async function showDisclosures(visit: Visit): Promise<Response> {
  const [guest, event] = [queryOf(visit, "guest"), queryOf(visit, "event")]
  const { now } = sessionOf(visit)
  // Whether a person is a guest of an event, and who has their data, is for operators.
  const maySearch = mayChange(visit)
  if (guest !== "" && !maySearch) throw new Problem("not_operator", onlyOperators)
  const { internals: { plan, readable }, site: { link } } = visit
  const withdrawals = withdrawalsOf(plan)
  const overdue = await listOverdue(readable, overdueDays, withdrawals)
  const wrong = [guest, event].find((id) => id !== "" && !anId.test(id))
  const report = guest === "" || wrong !== undefined
    ? undefined
    : await findDisclosures(readable, guest, { eventId: event || undefined, withdrawals })
  return respond(visit, {
    title: "Disclosures",
    current: "/console/disclosures",
    ...wrong !== undefined && { status: 400 },
    main: html`
      <p>Who received a person's data, which fields, and when; and whether they have been told about its
      erasure or withdrawal, and have acknowledged it.</p>
      ${maySearch
        ? [searchForm(guest, event), ...await visit.site.sections("choices", visit, undefined)]
        : html`<p>${onlyOperators}</p>`}
      ${wrong !== undefined && html`<p class="message bad" role="alert">${wrong} is not an id.</p>`}
      ${report && reportSection(report, { link, now })}
      ${overdueSection(overdue, { link, now })}
    `,
  })
}

const onlyOperators = "Only operators may search for a person here."

function searchForm(guest: string, event: string): Html {
  return html`
    <form class="fields" method="get" action="/console/disclosures">
      <div class="columns">
        <div><label for="guest">Guest id</label>
        <input id="guest" name="guest" required value="${guest}" autocapitalize="none"></div>
        <div><label for="event">Event id, if the guest is not known any more</label>
        <input id="event" name="event" list="events" value="${event}" autocomplete="off"
          autocapitalize="none"></div>
      </div>
      <button class="main">Find recipients</button>
    </form>
  `
}

/** How things are shown: what has a page, and what time it is. */
type Look = { readonly link: Visit["site"]["link"]; readonly now: number }

function reportSection({ guest, records, deletionsSince }: DisclosureReport, look: Look): Html {
  return html`
    <section aria-labelledby="report-title">
      <h2 id="report-title">Guest ${guest}</h2>
      ${records.length === 0 && html`
        <p>No such guest is known. ${deletionsSince > 0 && html`Guests that were deleted before
        ${
          formatMoment(deletionsSince)
        } may be forgotten.`} With an event id, this shows who may have received it
        there.</p>
      `}
      ${records.map((record) => recordPart(record, look))}
      ${command(`disclosures --guest ${quoted(guest)}`)}
    </section>
  `
}

function recordPart(
  { event, state: known, deleted, recipients }: DisclosureReport["records"][number],
  { link, now }: Look,
): Html {
  const isDeleted = known === "deleted"
  const isWithdrawn = recipients.some(({ withdrawn }) => withdrawn !== null)
  return html`
    <h3>${link.event(event.id, event.name)}</h3>
    <p>${known === "present"
      ? "A guest of this event."
      : isDeleted
      ? html`Deleted ${time(deleted, now)}.`
      : "No such guest of this event is known. If there was one, these accounts may have received it."}</p>
    ${table(
      "Recipients",
      [
        "Account",
        "Family",
        "Record",
        "From",
        "Until",
        ...isWithdrawn ? ["Withdrawn"] : [],
        ...isDeleted || isWithdrawn ? ["Told", "Acknowledged", "Attested"] : [],
        "Fields",
      ],
      recipients.map((recipient) => [
        link.account(recipient.account),
        html`<code>${recipient.prefix}</code>`,
        recipient.certain ? "sent" : "may have been sent",
        time(recipient.first, now),
        time(recipient.last, now),
        ...isWithdrawn ? [recipient.withdrawn === null ? "-" : time(recipient.withdrawn, now)] : [],
        ...isDeleted || recipient.withdrawn !== null
          ? [
            notice(recipient.told, now),
            notice(recipient.acknowledged, now),
            time(recipient.attested, now),
          ]
          : isWithdrawn
          ? ["-", "-", "-"]
          : [],
        html`
          <details>
            <summary>${recipient.fields.length} fields</summary>
            ${recipient.fields.map((field) => field.replace(/^Guest\./, "")).join(", ")}
          </details>
        `,
      ]),
      "It was sent to nobody.",
    )}
    ${(isDeleted || isWithdrawn) &&
      html`<p class="quiet">Told: a page with its deletion was sent in full. Acknowledged: a
    later <code>since</code> says that the partner has applied it. Attested: the digest of the partner's own
    copy matched. None of these says anything about the partner's backups. Withdrawn: its consent does not pass the
    filter of the family any more, whose list tells that as a deletion.</p>`}
  `
}

function overdueSection(overdue: readonly Overdue[], { link, now }: Look): Html {
  return html`
    <section aria-labelledby="overdue-title">
      <h2 id="overdue-title">Overdue erasures</h2>
      <p>Guests whom an account received, and whose deletion, or withdrawal from its list, it has not acknowledged in
      time.</p>
      ${table(
        "By account and event, the oldest first",
        ["Account", "Event", { name: "Guests", isNumber: true }, "Why", "First", "Last"],
        overdue.map(({ account, event, kind, guests, first, last }) => [
          link.partner(account),
          link.event(event.id, event.name),
          guests,
          kind,
          time(first, now),
          time(last, now),
        ]),
        "There are none.",
      )}
      ${command("disclosures --overdue")}
    </section>
  `
}

function notice(at: number | null, now: number): Html {
  return at === null ? state("warn", "not yet") : html`${state("good", "yes")} ${time(at, now)}`
}
