import { sql } from "kysely"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { freshUrl, openFor, withoutMysql } from "../../../support/database.ts"
import { openRelay } from "../../../support/relay.ts"
import { createUser, whyNoUsers } from "../../../support/users.ts"

t.test("connections on which nothing arrives any more are given up, and replaced", {
  skip: withoutMysql,
}, async (t) => {
  const relay = await openRelay(t, await freshUrl(t, "mysql"))
  const database = await openFor(t, relay.url, { connections: 2, timeLimit: 1 })
  const { writer, background } = database
  const useAll = () =>
    Promise.allSettled([
      database.ping(),
      database.readOnce(({ db, run }) => run(db.selectNoFrom((eb) => eb.lit(1).as("one")))),
      ...[writer, writer, background].map((db) => sql`select 1`.execute(db)),
    ])
  const statuses = async () => (await useAll()).map(({ status }) => status)

  t.strictSame(await statuses(), Array(5).fill("fulfilled"))
  // As a firewall that has forgotten the connections: both ends believe that they are open.
  relay.forget()
  t.strictSame(await statuses(), Array(5).fill("rejected"))
  t.strictSame(await statuses(), Array(5).fill("fulfilled"))
  t.match(database.connections, { used: 0, waiting: 0 })
})

t.test("connections that rest are kept", { skip: withoutMysql }, async (t) => {
  const { background } = await openFor(t, await freshUrl(t, "mysql"), { timeLimit: 1 })
  const connection = async () => {
    const { rows } = await sql<{ id: number }>`select connection_id() as id`.execute(background)
    return rows[0]?.id
  }
  const first = await connection()
  await t.rejects(sql`select * from missing`.execute(background))
  // Longer than a statement may take.
  await setTimeout(3200)
  t.equal(await connection(), first)
})

t.test("nothing is written to standard error about a statement that fails after it was aborted", {
  skip: withoutMysql,
}, async (t) => {
  const relay = await openRelay(t, await freshUrl(t, "mysql"))
  const { background } = await openFor(t, relay.url, { timeLimit: 30 })
  const lines = t.capture(console, "error")
  // `background` has one connection: the next statement waits until this one has failed.
  const nextOne = () => sql`select 1`.execute(background).then(() => true, () => false)
  const abort = async (strategy: "cancel query" | "ignore query", query = "select sleep(60)") => {
    const controller = new AbortController()
    const running = sql.raw(query).execute(background, {
      signal: controller.signal,
      inflightQueryAbortStrategy: strategy,
    })
    await setTimeout(100)
    controller.abort(new Error("aborted"))
    await t.rejects(running, /aborted/)
  }

  await nextOne()
  await abort("cancel query", "select benchmark(1000000000000, sha2('a', 256))")
  t.ok(await nextOne(), "killed at the server")

  await abort("ignore query")
  relay.cut()
  await nextOne()

  // A server that cannot be asked to kill it.
  await nextOne()
  relay.stall()
  await abort("cancel query")
  relay.goAway()
  t.notOk(await nextOne())

  // A connection that is never made.
  await relay.comeBack()
  await abort("ignore query")
  relay.goAway()
  t.notOk(await nextOne())
  t.strictSame(lines().map(({ args }) => args), [])
})

t.test("a user that is locked at the server is refused at the start, and waited for later", {
  skip: await whyNoUsers(),
}, async (t) => {
  const { owner, user, url } = await createUser(t, await freshUrl(t, "mysql"))
  const account = `'${user.name}'@'${user.host}'`
  await owner.query(`grant select on \`${user.database}\`.* to ${account}`)
  const database = await openFor(t, url, { connections: 1 })
  await owner.query(`alter user ${account} account lock`)
  // It has no connection yet.
  await t.rejects(database.ping(), Unavailable)
  await t.rejects(openFor(t, url), /^The database refuses the service: .*locked.*Check the user/)
  await owner.query(`alter user ${account} account unlock`)
  await t.resolves(database.ping())
})
