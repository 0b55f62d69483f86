import { randomUUID } from "node:crypto"
import fc from "fast-check"
import t from "tap"
import { Builder } from "../../../support/builder.ts"
import type { Database } from "../../../../core/data/database.ts"
import { onEveryEngine, openFor } from "../../../support/database.ts"
import { openStage } from "../../../support/ping/stage.ts"

const lists = ["events", "guests", "items"] as const
const accounts = ["all", "one", "none"] as const

await onEveryEngine(t, async (t, engine) => {
  const stage = await openStage(t, engine)
  const { build, database, organization } = stage
  const { writer } = database
  // Has connections of its own: open transactions keep theirs.
  const other = await openFor(t, stage.url)
  const events = [stage.event, await build.event(organization), await build.event(organization)]
  const receivers: {
    name: string
    own: Awaited<ReturnType<typeof stage.receive>>
    isBroken: boolean
  }[] = []
  for (const name of accounts) {
    await build.account(name)
    receivers.push({ name, own: await stage.receive(name), isBroken: false })
  }
  await build.grant("all", { organization: "acme" })
  /** The events that are granted one by one, by account; and when they were. */
  const granted = new Map([["one", new Set<string>()], ["none", new Set<string>()]])
  const grantedAt = new Map<string, number>()
  const mayRead = (name: string, event: string) =>
    name === "all" || granted.get(name)?.has(event) === true
  /** Counts what happens, so that it has an order. */
  let time = 0
  const changedAt = new Map<string, number>()
  const toldAt = new Map<string, number>()
  for (const receiver of receivers) {
    receiver.own.behave = ({ event, list }) => {
      if (!mayRead(receiver.name, event)) t.fail(`${receiver.name} was told of ${event}`)
      if (receiver.isBroken) return 500
      toldAt.set(`${receiver.name} ${event} ${list}`, ++time)
      return 204
    }
  }
  const change = async (builder: Builder, event: string, list: string) => {
    if (list === "guests") await builder.guest(event, { id: randomUUID() })
    else if (list === "items") await builder.item("tickets", event, { id: randomUUID() })
    else {await writer.updateTable("event").set({ name: randomUUID() }).where("id", "=", event)
        .execute()}
  }
  const event = fc.integer({ min: 0, max: 2 })
  const one = fc.integer({ min: 0, max: 1 })
  const receiver = fc.integer({ min: 0, max: 2 })
  const list = fc.constantFrom(...lists)
  const steps = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant("change"), event, list }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("open"), one, event }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant("end"), one, commits: fc.boolean() }) },
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constant("run"), steps: fc.integer({ min: 1, max: 12 }) }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("break"), receiver }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("mend"), receiver }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("kill") }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("close") }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle") }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("grant"), one, event }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("withdraw"), one, event }) },
    ),
    { minLength: 10, maxLength: 50 },
  )
  await t.test("no list that has changed is silent, and nobody is told of what they may not read", async (t) => {
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        let sending = stage.open()
        const open: (Transaction | undefined)[] = [undefined, undefined]
        const end = async (index: number, commits: boolean) => {
          const transaction = open[index]
          open[index] = undefined
          if (!transaction) return
          await transaction.trx[commits ? "commit" : "rollback"]().execute()
          if (commits) { for (const key of transaction.changed) changedAt.set(key, ++time) }
        }
        for (const step of steps as Step[]) {
          const id = events[step.event ?? 0] ?? ""
          const account = accounts[1 + (step.one ?? 0)] ?? "one"
          if (step.kind === "change") {
            // A guest that is not committed locks its event.
            const isLocked = open.some((each) => each?.changed.includes(`${id} guests`))
            const changed = isLocked && step.list === "events" ? "items" : step.list ?? "guests"
            await change(build, id, changed)
            changedAt.set(`${id} ${changed}`, ++time)
          } else if (step.kind === "open" && engine === "mysql") {
            const index = step.one ?? 0
            const trx = open[index]?.trx ?? await other.writer.startTransaction().execute()
            await change(new Builder({ writer: trx } as never), id, "guests")
            open[index] = { trx, changed: [...open[index]?.changed ?? [], `${id} guests`] }
          } else if (step.kind === "end") await end(step.one ?? 0, step.commits === true)
          else if (step.kind === "run") await sending.run(250 * (step.steps ?? 1))
          else if (step.kind === "break") receivers[step.receiver ?? 0]!.isBroken = true
          else if (step.kind === "mend") receivers[step.receiver ?? 0]!.isBroken = false
          else if (step.kind === "kill" || step.kind === "close") {
            if (step.kind === "close") await sending.sender.end()
            else await stage.endLease()
            sending = stage.open()
          } else if (step.kind === "settle") await stage.settle()
          else if (step.kind === "grant" && !mayRead(account, id)) {
            await build.grant(account, { event: id })
            granted.get(account)?.add(id)
            grantedAt.set(`${account} ${id}`, ++time)
          } else if (step.kind === "withdraw" && mayRead(account, id)) {
            granted.get(account)?.delete(id)
            await writer.deleteFrom("access_grant").where("event_id", "=", id)
              .where(
                "account_id",
                "in",
                (eb) => eb.selectFrom("account").select("id").where("username", "=", account),
              ).execute()
          }
        }
        for (const index of open.keys()) await end(index, true)
        for (const each of receivers) each.isBroken = false
        for (let n = 0; n < 4; n++) {
          await sending.run(6000)
          sending.clock += 3_600_000
        }
        await sending.run(6000)
        for (const [key, at] of changedAt) {
          const [event = ""] = key.split(" ")
          for (const { name } of receivers) {
            if (!mayRead(name, event) || (grantedAt.get(`${name} ${event}`) ?? 0) > at) continue
            const told = toldAt.get(`${name} ${key}`) ?? 0
            if (told < at) throw new Error(`${name} was not told of ${key}`)
          }
        }
        await sending.sender.end()
      }),
      { numRuns: engine === "mysql" ? 4 : 15, endOnFailure: true },
    )
    t.ok(toldAt.size > 3)
  })
})

interface Step {
  readonly kind: string
  readonly event?: number
  readonly one?: number
  readonly receiver?: number
  readonly list?: string
  readonly commits?: boolean
  readonly steps?: number
}

/** Changes that are not committed yet, as `EVENT LIST`. */
interface Transaction {
  readonly trx: Awaited<ReturnType<ReturnType<Database["writer"]["startTransaction"]>["execute"]>>
  readonly changed: readonly string[]
}
