import { setTimeout } from "node:timers/promises"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, openFor, withoutMysql } from "../../support/database.ts"
import { blockedOf } from "../../support/mysql/processes.ts"

const writers = 32
const seconds = 3

/** Changes a consent, and in some transactions its guest as well. */
type Change = (run: Run, guest: string) => Promise<unknown>
type Run = (statement: string, values?: unknown[]) => Promise<unknown>

const lockGuest = "select id from guest where event_id = ? and id = ? for update"
const changeGuest = "update guest set external_id = uuid() where event_id = ? and id = ?"
const changeConsent = "update consent set channels = uuid() where event_id = ? and guest_id = ?"

await t.test("on MySQL, config/handbook/polling.md says how to write beside the service", {
  skip: withoutMysql,
}, async (t) => {
  const url = await copiedUrl(t, "mysql")
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guests = await build.guests(event, 20)
  for (const guest of guests) await build.consent(event, guest)

  /** Lets all writers change any of the guests. Half of them change the guest, too. Returns what happened. */
  const compete = async (t: Test, onlyConsent: Change) => {
    const outcome = { done: 0, deadlocks: 0 }
    const ends = performance.now() + seconds * 1000
    const write = async (number: number) => {
      const connection = await mysql.createConnection(url)
      t.teardown(() => connection.end())
      const run: Run = (statement, values) => connection.query(statement, values)
      const change: Change = number % 2 === 0 ? changeBoth : onlyConsent
      // A slow machine takes longer for as many as count.
      while (performance.now() < ends || outcome.done <= 100) {
        const guest = guests[Math.floor(Math.random() * guests.length)] ?? ""
        outcome.deadlocks += await retried(run, () => change(run, guest))
        outcome.done++
      }
    }
    await Promise.all(Array.from({ length: writers }, (_, number) => write(number)))
    t.comment(`${outcome.done} transactions, ${outcome.deadlocks} deadlocks`)
    return outcome
  }

  const changeBoth: Change = async (run, guest) => {
    await run(lockGuest, [event, guest])
    await run(changeGuest, [event, guest])
    await run(changeConsent, [event, guest])
  }

  await t.test("who locks the guest first meets no deadlock", async (t) => {
    const { done, deadlocks } = await compete(t, async (run, guest) => {
      await run(lockGuest, [event, guest])
      await run(changeConsent, [event, guest])
    })
    t.equal(deadlocks, 0)
    t.ok(done > 100)
  })

  await t.test("who changes the consent first deadlocks with who changes the guest first", async (t) => {
    const connect = async (): Promise<Run> => {
      const connection = await mysql.createConnection(url)
      t.teardown(() => connection.end())
      return (statement, values) => connection.query(statement, values)
    }
    const [one, other] = [await connect(), await connect()]
    const key = [event, guests[0]]
    await one("begin")
    await one(changeGuest, key)
    const waiting = other(changeConsent, key)
    while ((await blockedOf(database.writer, url)).length === 0) await setTimeout(150)
    const outcomes = await Promise.allSettled([one(changeConsent, key), waiting])
    const errors = outcomes.filter((outcome) => outcome.status === "rejected")
    t.match(errors, [{ reason: { errno: 1213 } }])
    await one("rollback")
  })

  await t.test("after retries every transaction succeeds, whatever its order", async (t) => {
    const { done } = await compete(t, (run, guest) => run(changeConsent, [event, guest]))
    t.ok(done > 100)
  })

  await t.test("deadlocks are counted for a user with PROCESS only", async (t) => {
    const { inspection } = database.dialect
    t.ok(Number(await inspection.countDeadlocks(database.writer)) > 0)

    const owner = await mysql.createConnection(url)
    const name = `plain_${crypto.randomUUID().slice(0, 8)}`
    t.teardown(async () => {
      await owner.query(`drop user '${name}'@'%'`)
      await owner.end()
    })
    await owner.query(`create user '${name}'@'%' identified by 'a password'`)
    await owner.query(`grant select on ${new URL(url).pathname.slice(1)}.* to '${name}'@'%'`)
    const plain = Object.assign(new URL(url), { username: name, password: "a password" })
    const other = await openFor(t, plain.href)
    t.equal(await inspection.countDeadlocks(other.background), undefined)
  })
})

/** Runs a transaction until it meets no deadlock, as config/handbook/polling.md advises. Returns the number of deadlocks. */
async function retried(run: Run, work: () => Promise<unknown>): Promise<number> {
  for (let deadlocks = 0;; deadlocks++) {
    try {
      await run("begin")
      await work()
      await run("commit")
      return deadlocks
    } catch (error) {
      await run("rollback")
      if ((error as { errno?: number }).errno !== 1213 || deadlocks === 20) throw error
      await setTimeout(Math.random() * 20 * (deadlocks + 1))
    }
  }
}
