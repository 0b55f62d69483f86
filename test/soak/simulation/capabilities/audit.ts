import type { Exchange } from "../exchange.ts"
import { familyPathOf, receivedOf } from "../received.ts"
import { Recordings } from "../recordings.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

/** What the audit log must say of a request. */
interface ExpectedEntry {
  readonly id: string
  /** Null for a name that no account has. */
  readonly account: string | null
  readonly action: "list" | "log-in"
  readonly status: number
  readonly address: string
  readonly event: string | undefined
  /** Undefined if the body does not say it. */
  readonly sent: number | undefined
}

/** Milliseconds for which one line of the log says that entries are written again. */
const longestRetry = 600_000

/** The audit log has every read and every log-in, as it was, once; and no request that nobody sent. */
export default function simulate(world: World): Simulation {
  const recordings = new Recordings<ExpectedEntry>(world, "audit", { capability: "audit" })
  const entries = new Map<string, Awaited<ReturnType<typeof readEntries>>[number]>()
  let last = { seq: 0, restores: 0 }
  /** When entries were last written again: what met its time limit may have taken effect. */
  let retriedAt: number | undefined
  /** Requests that were sent and got no response. */
  let unanswered = 0
  const answered = new Set<string>()
  /** Entries of requests that nobody got a response for, so far. */
  const strange = new Set<string>()
  /** When services said that they have, or have not, applied the file, in Unix seconds. */
  const reloads: number[] = []
  world.onRequest(() => void unanswered++)
  world.onLog(({ msg, name }) => {
    if (/^entries cannot be written now/.test(msg) && name === "audit") {
      retriedAt = world.time.steady
    }
    if (/^configuration (applied|refused; the old one stays)/.test(msg)) {
      reloads.push(world.time.now)
    }
  })

  /** Checks an entry of a reload: it is of a moment at which a service said so, whenever it could be written. */
  const checkReload = (at: number) => {
    if (reloads.some((told) => Math.abs(told - at) <= 1)) return
    throw new Violation(`the audit log has a reload at ${at}, when no service reloaded`)
  }

  const readEntries = async (after: number) =>
    await world.database.writer.selectFrom("audit_log")
      .select(["seq", "request_id", "account", "action", "status", "address", "event_id", "sent"])
      .select(["actor", "at"]).where("seq", ">", after).orderBy("seq").execute()

  const readNew = async () => {
    if (last.restores !== world.restores) last = { seq: 0, restores: world.restores }
    for (const entry of await readEntries(last.seq)) {
      const { seq, request_id: id } = entry
      last = { ...last, seq: Number(seq) }
      if (entry.actor === "service" && entry.action === "reload") checkReload(entry.at)
      if (entry.actor !== null) continue
      const isRetried = retriedAt !== undefined && world.time.steady - retriedAt < longestRetry
      if (entries.has(id) && world.restores === 0 && !isRetried) {
        throw new Violation(`request ${id} is in the audit log twice`)
      }
      entries.set(id, entry)
      if (!answered.has(id)) strange.add(id)
    }
  }

  const isThere = (wanted: ExpectedEntry) => {
    const entry = entries.get(wanted.id)
    if (!entry) return Promise.resolve(false)
    const differences = [
      // Whoever cannot log in may be anyone.
      wanted.status === 401 || entry.account === wanted.account || `account ${entry.account}`,
      entry.action === wanted.action || `action ${entry.action}`,
      entry.status === wanted.status || `status ${entry.status}`,
      entry.address === wanted.address || `address ${entry.address}`,
      wanted.event === undefined || entry.event_id === wanted.event || `event ${entry.event_id}`,
      wanted.sent === undefined || entry.sent === wanted.sent || `${entry.sent} records`,
    ].filter((each) => each !== true)
    if (differences.length > 0) {
      throw new Violation(`the audit log has ${differences.join(", ")} of ${describe(wanted)}`)
    }
    return Promise.resolve(true)
  }

  return {
    observe(exchange) {
      const id = exchange.headers.get("x-request-id")
      unanswered--
      if (id === null) return
      answered.add(id)
      strange.delete(id)
      const version = world.configuration.version(exchange.config)
      const hasExports = version?.capabilities.includes("export") === true
      const expected = expectedOf(exchange, id, hasExports)
      if (expected) recordings.expect(exchange, expected)
    },
    invariants: [{
      name: "the audit log has every read and every log-in",
      async atRest() {
        // What was written while the others were waited for is read then.
        await recordings.check(async (wanted) => {
          if (!entries.has(wanted.id)) await readNew()
          return await isThere(wanted)
        }, (wanted) => `the audit log lacks ${describe(wanted)}`)
        await readNew()
        if (strange.size > unanswered) {
          throw new Violation(
            `${strange.size} requests are in the audit log that nobody knows, and ${unanswered} got no response`,
          )
        }
      },
    }],
  }
}

function expectedOf(
  exchange: Exchange,
  id: string,
  hasExports: boolean,
): ExpectedEntry | undefined {
  const { method, path, status, account, address, isWhole } = exchange
  const common = { id, account: account === nobody ? null : account, status, address }
  if (method === "POST" && path === "/session" && [204, 401].includes(status)) {
    return { ...common, action: "log-in", event: undefined, sent: undefined }
  }
  const family = familyPathOf(exchange)
  if (!family || method !== "GET" || ![200, 304, 404, 410].includes(status)) return undefined
  // A path that this configuration does not serve is no list.
  if (status === 404 && !isOfEvent(exchange)) return undefined
  if (family.kind === "export" && !hasExports) return undefined
  const isCounted = status === 200 && isWhole && family.list !== "changes" &&
    (family.kind === "list" || family.kind === "deletions")
  const { records, deletions } = receivedOf(family, exchange)
  const sent = isCounted ? records.length + deletions.length : undefined
  return { ...common, action: "list", event: family.event, sent }
}

/** Who tries to log in by a name that no account has. */
const nobody = "nobody"

function isOfEvent({ body }: Exchange): boolean {
  return /"event_not_found"|"record_not_found"/.test(new TextDecoder().decode(body))
}

function describe({ id, account, action, status, event, sent }: ExpectedEntry): string {
  return `${action} ${id} of ${account}: ${status}, event ${event}, ${sent} records`
}
