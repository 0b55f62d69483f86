import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { Random } from "../../../support/random.ts"
import type { Exchange } from "../exchange.ts"
import { pageOf } from "../../../support/partner/feed-reader.ts"
import { type FamilyPath, familyPathOf, receivedOf, textOf } from "../received.ts"
import { Recordings } from "../recordings.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

/** A guest that an account received from a family. */
interface Receipt {
  /** The id of the account: it may get another name. */
  readonly account: string
  readonly prefix: string
  readonly event: string
  readonly guest: string
}

/** Receipts that were in the ledger are looked up again after this many seconds at most. */
const longest = 60_000
/** So many of them at each rest. */
const again = 3

/** The ledger names everyone who received a guest, and says of nobody that they know of a deletion that they do not. */
export default function simulate(world: World): Simulation {
  const recordings = new Recordings<Receipt>(world, "disclosures", "disclosures")
  const random = new Random(1)
  /** When the receipts were last made that are expected or were found, in Unix seconds. */
  const known = new Map<string, { readonly receipt: Receipt; at: number; isFound: boolean }>()
  /** By `prefix event`: the ids of the accounts that asked for it. */
  const asked = new Map<string, Set<string>>()
  /** `account event id time` of deletions that somebody was told of. */
  const told = new Set<string>()
  /** By `account event`: until when somebody knows all deletions, because they have read a feed from its beginning. */
  const begun = new Map<string, number>()
  /** The cursors of such feeds, until their end. */
  const beginnings = new Set<string>()
  /** The second after that in which cursors of feeds came: whoever shows one has applied nothing that happened later. */
  const cursors = new Map<string, number>()
  /** By `account event`: until when somebody may have applied all deletions, as their requests say. */
  const acknowledged = new Map<string, number>()
  const clock = watchClock(world)

  const nameOf = (id: string) => world.access.nameOf(id)
  const isCalled = (id: string, name: string) => nameOf(id) === name

  const reportOn = async ({ guest, event }: Pick<Receipt, "guest" | "event">) => {
    const options = { eventId: event, withdrawals: { hours: 24 } }
    const { records: [record] } = await findDisclosures(world.database, guest, options)
    for (const recipient of record?.recipients ?? []) {
      const { account, prefix } = recipient
      const ids = [...asked.get(`${prefix} ${event}`) ?? []].filter((id) => isCalled(id, account))
      if (ids.length === 0) {
        throw new Violation(
          `${account} is named for guest ${guest}, and has never asked ${prefix} for it`,
        )
      }
      if (recipient.fields.length === 0) {
        throw new Violation(`the ledger does not say which fields of guest ${guest} ${account} got`)
      }
      if (record?.deleted === null || record?.deleted === undefined || clock.wentBack) continue
      // What is known is about its withdrawal.
      if (recipient.withdrawn !== null) continue
      const what = `the deletion of guest ${guest} at ${record.deleted}`
      const { deleted } = record
      const isTold = ids.some((id) =>
        told.has(`${id} ${event} ${guest} ${deleted}`) ||
        deleted <= (begun.get(`${id} ${event}`) ?? -1)
      )
      if (recipient.told !== null && !isTold) {
        throw new Violation(`${account} was not told of ${what}, and the ledger says so`)
      }
      const until = Math.max(...ids.map((id) => acknowledged.get(`${id} ${event}`) ?? -1))
      if (recipient.acknowledged !== null && until <= record.deleted) {
        throw new Violation(`${account} has not acknowledged ${what}, and the ledger says so`)
      }
    }
    return record?.recipients ?? []
  }

  type Recipients = Awaited<ReturnType<typeof reportOn>>

  /** Returns a function that tells whether a receipt is in the ledger, and asks once for all who received a guest. */
  const openLedger = () => {
    const reports = new Map<string, Promise<Recipients>>()
    return async (receipt: Receipt) => {
      const key = `${receipt.event} ${receipt.guest}`
      const report = reports.get(key) ?? reportOn(receipt)
      reports.set(key, report)
      return (await report).some(({ account, prefix }) =>
        isCalled(receipt.account, account) && prefix === receipt.prefix
      )
    }
  }

  /** Notes when a cursor came, and how far its feed is, if that was begun with an empty copy. */
  const notePage = ({ query }: FamilyPath, exchange: Exchange, of: string) => {
    const { next, more } = pageOf({ headers: exchange.headers, text: textOf(exchange) })
    cursors.set(next, clock.latest() + 1)
    const after = query.get("after")
    if (after && !beginnings.has(after)) return
    if (more) beginnings.add(next)
    else begun.set(of, clock.latest())
  }

  return {
    observe(exchange) {
      const path = familyPathOf(exchange)
      const { accountId: account } = exchange
      if (!path || path.kind === "digest" || account === undefined) return
      const { prefix, event } = path
      const { records, deletions } = receivedOf(path, exchange)
      if (exchange.isWhole) {
        if (path.list === "changes" && exchange.status === 200) {
          notePage(path, exchange, `${account} ${event}`)
        }
        for (const { id, deleted } of deletions) told.add(`${account} ${event} ${id} ${deleted}`)
      }
      const at = clock.latest()
      for (const { category, id: guest } of records) {
        if (category !== "guests" && !(path.list === "guests")) continue
        const key = `${account} ${prefix} ${event} ${guest}`
        const receipt = known.get(key)?.receipt ?? { account, prefix, event, guest }
        const { isFound = false } = known.get(key) ?? {}
        known.set(key, { receipt, at, isFound })
        if (!isFound) recordings.expect(exchange, receipt)
      }
    },
    async prepare() {
      world.onRequest((sent) => {
        const path = familyPathOf(sent)
        const { accountId: account } = sent
        if (!path || account === undefined) return
        const key = `${path.prefix} ${path.event}`
        asked.set(key, (asked.get(key) ?? new Set()).add(account))
        const since = path.list === "changes"
          ? cursors.get(path.query.get("after") ?? "") ?? -1
          : Number(path.query.get("since") ?? -1)
        if (path.list !== "changes" && path.kind !== "deletions") return
        const list = `${account} ${path.event}`
        acknowledged.set(list, Math.max(acknowledged.get(list) ?? -1, since))
      })
    },
    invariants: [{
      name: "the ledger names everyone who received a guest",
      async atRest() {
        const isNamed = openLedger()
        await recordings.check(
          async (receipt) => {
            const isFound = await isNamed(receipt)
            const { account, prefix, event, guest } = receipt
            const entry = known.get(`${account} ${prefix} ${event} ${guest}`)
            if (entry && isFound) entry.isFound = true
            return isFound
          },
          ({ account, guest, prefix }) =>
            `${nameOf(account)} got guest ${guest} from ${prefix}, and the ledger does not say so`,
        )
        const found = [...known.values()].filter(({ at, isFound }) =>
          isFound && at >= clock.latest() - longest
        )
        for (let count = Math.min(again, found.length); count > 0; count--) {
          const { receipt } = random.pick(found)
          if (await isNamed(receipt)) continue
          const { account, guest } = receipt
          throw new Violation(
            `${nameOf(account)} got guest ${guest}, and the ledger does not say so any more`,
          )
        }
      },
    }],
  }
}

/** Follows the wall clock as well as those who look at it can. */
function watchClock({ time }: World) {
  let latest = 0
  let distance = time.wall - time.steady
  const clock = {
    /** True once it was set back. */
    wentBack: false,
    /** The latest time that it has shown, in Unix seconds. */
    latest() {
      if (time.wall - time.steady < distance - 1) clock.wentBack = true
      distance = time.wall - time.steady
      latest = Math.max(latest, time.now)
      return latest
    },
  }
  return clock
}
