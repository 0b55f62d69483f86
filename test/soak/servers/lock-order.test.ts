import { setTimeout } from "node:timers/promises"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, openFor, withoutMysql } from "../../support/database.ts"
import { blockedOf } from "../../support/mysql/processes.ts"

const writers = 32
const rounds = 20

type Run = (statement: string, values?: unknown[]) => Promise<unknown>

const lockGuest = "select id from guest where event_id = ? and id = ? for update"
const changeGuest = "update guest set external_id = uuid() where event_id = ? and id = ?"
const changeConsent = "update consent set channels = uuid() where event_id = ? and guest_id = ?"

await t.test("on MySQL, config/handbook/polling.md says how to write beside the service", {
  skip: withoutMysql,
}, async (t) => {
  const url = await copiedUrl(t, "mysql")
  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guests = await build.guests(event, 20)
  for (const guest of guests) await build.consent(event, guest)

  const connect = async (t: Test): Promise<Run> => {
    const connection = await mysql.createConnection(url)
    t.teardown(() => connection.end())
    return (statement, values) => connection.query(statement, values)
  }

  await t.test("who locks the guest first meets no deadlock", async (t) => {
    const write = async (number: number) => {
      const run = await connect(t)
      for (let round = 0; round < rounds; round++) {
        const key = [event, guests[Math.floor(Math.random() * guests.length)]]
        await run("begin")
        await run(lockGuest, key)
        if (number % 2 === 0) await run(changeGuest, key)
        await run(changeConsent, key)
        await run("commit")
      }
    }
    await t.resolves(Promise.all(Array.from({ length: writers }, (_, number) => write(number))))
  })

  await t.test("who changes the consent first deadlocks with who changes the guest first", async (t) => {
    const [one, other] = [await connect(t), await connect(t)]
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
})
