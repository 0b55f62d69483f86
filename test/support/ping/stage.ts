import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { Insertable } from "kysely"
import type { Test } from "tap"
import type { ChangeLog } from "../../../core/change-log/change-log.ts"
import { type Listener, Tail } from "../../../core/change-log/tail.ts"
import type { Database } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { oneNode } from "../../../core/request/nodes.ts"
import { Poster } from "../../../plugins/capabilities/ping/post.ts"
import { noOutcomes, Sender, type SenderParts } from "../../../plugins/capabilities/ping/sender.ts"
import { testConfig } from "../app.ts"
import { Builder } from "../builder.ts"
import { copiedUrl, type Engine, openFor } from "../database.ts"
import { scannedLog } from "../scanned-log.ts"
import { settle, settleAll } from "../settle.ts"
import { openReceiver, receiverSecret } from "./receiver.ts"

/** A process that sends, whose clock a test moves. */
export interface TestSender {
  readonly sender: Sender
  /** Milliseconds of its clock. */
  clock: number
  /** Seconds since a commit that all servers have which polls are read from. */
  delay: number
  /** Makes another server the primary: what the database has then, that one has. */
  failOver(): void
  /** Looks at the log, if the sender listens to that, and takes a step. Returns the milliseconds until the next. */
  step(): Promise<number>
  /** Takes steps until nothing is due, and requests have ended. Moves the clock by the pauses of so many milliseconds. */
  run(milliseconds?: number): Promise<void>
  /** Takes steps until it is so. */
  until(isSo: () => unknown): Promise<void>
}

/** What a test of pings works with: a database with an organization, an event, and a partner who may read both. */
export type Stage = Awaited<ReturnType<typeof stageOn>>

/** What a stage is made of. */
interface Filled {
  readonly url: string
  readonly database: Database
  readonly engine: Engine
  readonly organization: string
  readonly event: string
}

/** Creates a database with a partner, for tests that send pings. */
export async function openStage(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)
  await build.account("partner")
  await build.grant("partner", { organization: "acme" })
  const stage = await stageOn(t, { url, database, engine, organization, event })
  await stage.settleAll()
  return stage
}

/** Makes a stage of a database that is filled. */
export async function stageOn(t: Test, { url, database, engine, organization, event }: Filled) {
  const plan = await testConfig(url)
  const { writer, dialect } = database
  const entries: Record<string, unknown>[] = []
  const log = scannedLog(t, entries)
  // On a slow machine, receivers that hang do so for longer than usual.
  const limits = { request: 600_000, idle: 30_000 }
  const poster = new Poster({ ports: [], hosts: undefined, loopback: true, limits })
  t.teardown(() => poster.close())
  const stage = {
    ...{ t, url, database, plan, organization, event, entries },
    build: new Builder(database),
    /** Moves up what is settled, as a service does once a second. */
    settle: () => settle(database),
    /** Notes that all changes are settled, while none is open. */
    settleAll: () => settleAll(database),
    /** Makes the lease end now, as if its time had passed. */
    async endLease() {
      await writer.updateTable("ping_sender").set({ until: 1 }).execute()
    },
    /** Removes all receivers and the lease, and settles all changes, for the next test. */
    async clear() {
      await writer.deleteFrom("ping_receiver").execute()
      await stage.endLease()
      await stage.settleAll()
    },
    /** Registers a receiver of an account, which is on. */
    async register(
      username: string,
      receiver: string,
      values: Partial<Insertable<Schema["ping_receiver"]>> = {},
    ) {
      await stage.settle()
      const { id: account_id } = await writer.selectFrom("account").select("id")
        .where("username", "=", username).executeTakeFirstOrThrow()
      const settled = engine === "mysql"
        ? (await writer.selectFrom("change_state").select("settled").executeTakeFirstOrThrow())
          .settled
        : (await writer.selectFrom("event_change").select((eb) => eb.fn.max("seq").as("seq"))
          .executeTakeFirstOrThrow()).seq ?? 0
      const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
      const id = randomUUID()
      await writer.insertInto("ping_receiver").values({
        ...{ id, account_id, url: receiver, secret: receiverSecret },
        ...{ former_secret: null, former_until: null, created: now },
        ...{ state: "on", reason: null, since: now, failing_since: null, attempts: 0 },
        ...{ next_at: 0, last_sent: null, last_status: null, last_error: null },
        sent_seq: settled,
        ...values,
      }).execute()
      return id
    },
    /** Opens a receiver that is registered and on. */
    async receive(username = "partner") {
      const receiver = await openReceiver(t)
      const id = await stage.register(username, receiver.url)
      return Object.assign(receiver, { id })
    },
    async row(id: string) {
      return await writer.selectFrom("ping_receiver").selectAll().where("id", "=", id)
        .executeTakeFirst()
    },
    open(parts: Partial<SenderParts> = {}, common = () => "1") {
      /** Opens a server whose log is looked at before each step, if the sender listens to it. */
      const openServer = () => {
        const tail = new Tail(database, { log, common })
        t.teardown(() => tail.close())
        let isListening = false
        const listen = async ({ hear }: Listener) => {
          const listening = await tail.listen({ every: () => 1e9, hear })
          isListening = true
          return listening
        }
        return {
          changes: { tail: { listen } } as unknown as ChangeLog,
          look: async () => isListening ? await tail.look() : undefined,
        }
      }
      let primary = openServer()
      const nodes = {
        ...oneNode(database, primary.changes),
        get changes() {
          return primary.changes
        },
        get delay() {
          return moved.delay
        },
      }
      const moved: TestSender = {
        clock: 0,
        delay: 0,
        failOver: () => void (primary = openServer()),
        async step() {
          await primary.look()
          return await moved.sender.step()
        },
        sender: new Sender({
          ...{ database, nodes, plan, log, poster },
          owner: randomUUID(),
          outcomes: noOutcomes(),
          now: () => moved.clock,
          random: () => 0.5,
          ...parts,
        }),
        async run(milliseconds = 3000) {
          for (const end = moved.clock + milliseconds; moved.clock < end;) {
            const pause = await moved.step()
            while (moved.sender.numbers.running > 0) await sleep(1)
            moved.clock += Math.min(pause, end - moved.clock)
          }
        },
        async until(isSo: () => unknown) {
          while (!await isSo()) {
            moved.clock += await moved.step()
            if (moved.sender.numbers.running > 0) await sleep(1)
          }
        },
      }
      t.teardown(() => moved.sender.end())
      return moved
    },
  }
  return stage
}
