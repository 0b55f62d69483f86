import { settingsOf } from "../../../core/capability.ts"
import {
  type Content,
  copiedId,
  html,
  moment,
  number,
  state,
  table,
  time,
} from "../../design/design.ts"
import { oncePerVisit, type OwnAddition, type OwnVisit } from "../../documents/me/page.ts"

/** What an account is shown of its entries in the audit log. */
export const own: readonly OwnAddition[] = [
  { kind: "section", order: 30, id: "requests", title: "Your last requests", render: showRequests },
  { kind: "seen", order: 30, render: showAddresses },
]

/** The numbers of requests that are shown, and that addresses are taken from. */
const most = { shown: 10, looked: 100 } as const

async function showRequests(visit: OwnVisit): Promise<Content> {
  const { now } = visit.caller
  const rows = (await readOwnRequests(visit)).slice(0, most.shown)
  return table(
    "Lists, log-ins and log-outs, the newest first",
    ["Time", "Result", "Request", { name: "Records", isNumber: true }, "Address", "Request id"],
    rows.map(({ at, status, code, action, route, since, sent, address, request_id: id }) => [
      moment(at, now),
      html`${state(status >= 500 ? "bad" : status >= 400 ? "warn" : "good", status)} ${
        code && html`<a class="quiet" href="/problems/${code}">${code}</a>`
      }`,
      html`<span class="why">${action === "list" ? html`<code>${route}</code>` : action}${
        since !== null && html`
          <span class="quiet">since=${since}</span>
        `
      }</span>`,
      number(sent),
      address,
      copiedId(id),
    ]),
    "There are none yet.",
  )
}

async function showAddresses(visit: OwnVisit): Promise<Content> {
  const rows = await readOwnRequests(visit)
  const { internals: { plan }, caller: { now } } = visit
  const { retention } = settingsOf<{ readonly retention: number }>(plan, "audit")
  const byAddress = [...Map.groupBy(rows, ({ address }) => address)]
  return html`
    Each request for a list, and each log-in: when, from which address, for what, how many records were sent, and
    the error. Never a record, or the words of a search. It is kept for ${retention} days. ${byAddress
          .length > 0 &&
      html`Your latest ${rows.length} came from ${
        byAddress.map(([address, [last, ...others]], index) =>
          html`${index > 0 && ", "}${address} (${others.length + 1}, the latest ${
            time(last?.at, now)
          })`
        )
      }.`}
  `
}

/**
 * Returns the last requests of the caller, the latest first. The audit log knows only names. Another account may have had
 * the name before this one was added or renamed, so older entries do not count, nor do those under its former names.
 */
const readOwnRequests = oncePerVisit(async ({ internals: { readable }, caller }: OwnVisit) => {
  const { id, username } = caller.account
  return await readable.writer
    .selectFrom("audit_log")
    .select(["at", "status", "code", "action", "route", "since", "sent", "address", "request_id"])
    .where("account", "=", username)
    .where("actor", "is", null)
    .where("at", ">=", (eb) => eb.selectFrom("account").select("created").where("id", "=", id))
    .where("at", ">=", (eb) => (
      eb.selectFrom("audit_log as renamed")
        .select(({ fn, val }) => fn.coalesce(fn.max<number>("at"), val(0)).as("at"))
        .where("action", "=", "account-rename").where("account", "=", username)
    ))
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(most.looked)
    .execute()
})
