import { type Kysely, sql } from "kysely"
import t from "tap"
import type { Database, Reader, Runnable } from "../../../core/data/database.ts"
import type { Schema } from "../../../core/data/schema.ts"
import type { Server } from "../../../plugins/capabilities/servers/server.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { startReplicas } from "../support/cluster/replicas.ts"
import { type ClusterNode, urlOf } from "../support/cluster/node.ts"
import { openServers, openServersFor } from "../../support/open-servers.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { listProcesses } from "../../support/mysql/processes.ts"

const program = await ownMysql()
const skip = typeof program === "string" && program
const { signal } = new AbortController()
const user = { database: "kept", user: "app", password: "a, b@c" }

t.test("two servers, of which one is the primary", { skip }, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, { program, signal, replicas: [{}] })
  const [one, two] = set.nodes as readonly [ClusterNode, ClusterNode]
  await one.run(
    "create database kept",
    "create table kept.item (id int auto_increment primary key)",
    `create user app identified by '${user.password}'`,
    "grant all on kept.* to app",
    "grant select on performance_schema.* to app",
  )
  await set.untilCaughtUp()
  const url = urlOf([two, one], user)
  const options = { connections: 2, timeLimit: 60 }
  const database = await openServersFor(t, url, { ...options, replicas: [] })
  const servers = database.servers
  const changes: (string | undefined)[] = []
  servers.onPrimary((to) => changes.push(to?.name))
  const serverOf = ({ name }: ClusterNode) =>
    servers.all.find((server) => server.name === name) as Server

  await t.test("all handles lead to the primary, and `at` to one of them", async (t) => {
    t.equal(servers.primary?.name, one.name)
    t.strictSame(await uuidsOf(database), Array(5).fill(one.uuid))
    for (const node of [one, two]) {
      const part = database.at(serverOf(node))
      t.equal(part, database.at(serverOf(node)))
      t.strictSame([await readUuid(part), await uuidBy(part.background)], [node.uuid, node.uuid])
      await t.rejects(write(part), /read.only/i)
    }
  })

  await t.test("they follow a switch, and fail at once while there is no primary", async (t) => {
    await one.run("set global super_read_only = on")
    await servers.refresh()
    t.equal(servers.primary, undefined)
    const error: unknown = await write(database).catch((error: unknown) => error)
    t.ok(error instanceof Unavailable, String(error))
    t.match(String(error), `${two.name} is read-only; ${one.name} is read-only.`)
    await t.rejects(database.ping(), Unavailable)
    await t.rejects(openServers(url, options), { name: "Unavailable" })
    t.equal(
      await readUuid(database.at(serverOf(one))),
      one.uuid,
      "each is read from, none the less",
    )
    await set.switchTo(two)
    await servers.refresh()
    t.strictSame(await uuidsOf(database), Array(5).fill(two.uuid))
    await write(database)
    t.strictSame(changes.splice(0), [undefined, two.name])
  })

  await t.test("after a crash, they go on at the next primary, and stay there when the former one is back", async (t) => {
    await set.untilCaughtUp()
    await set.failOver(one, () => Promise.resolve())
    await servers.refresh()
    await write(database)
    t.strictSame(await uuidsOf(database), Array(5).fill(one.uuid))
    t.equal(changes.at(-1), one.name)
    await two.start(["--super-read-only=OFF"])
    await servers.refresh()
    t.ok(serverOf(two).state?.isWritable)
    t.equal(await servers.confirm(serverOf(one)), false, "the other one takes writes, too")
    t.strictSame(await uuidsOf(database), Array(5).fill(one.uuid))
    await t.rejects(openServers(url, options), {
      name: "UserError",
      message: new RegExp(`^${two.name} and ${one.name} both take writes`),
    })
    const same = `mysql://app:${encodeURIComponent(user.password)}@${one.name},${one.address}/kept`
    await t.rejects(openServers(same, options), {
      message: /are the same server: name it once in database\.url/,
    })
  })

  await t.test("no connections are left by many switches, nor by close", async (t) => {
    const connections = async (node: ClusterNode) =>
      (await listProcesses(node)).filter(({ user }) => user === "app").length
    await two.run("set global super_read_only = on")
    const switched = await openServers(url, options)
    const before = await connections(two)
    for (let n = 0; n < 10; n++) {
      for (const [to, from] of [[two, one], [one, two]] as const) {
        await from.run("set global super_read_only = on")
        await to.run("set global super_read_only = off", "set global read_only = off")
        await switched.servers.refresh()
        t.strictSame(await uuidsOf(switched), Array(5).fill(to.uuid))
      }
    }
    t.ok(await connections(two) <= before + 2, `${before} became ${await connections(two)}`)
    await switched.close()
    await database.close()
    for (const node of [one, two]) {
      while (await connections(node) > 0) await servers.refresh()
    }
  })
})

async function write(database: Database): Promise<void> {
  await sql`insert into item values ()`.execute(database.writer)
}

async function uuidBy(db: Kysely<Schema>): Promise<string | undefined> {
  const { rows: [row] } = await sql<{ uuid: string }>`select @@server_uuid as uuid`.execute(db)
  return row?.uuid
}

async function readUuid(database: Database): Promise<string | undefined> {
  const [row] = await database.readOnce(({ db, run }) => run(uuidIn(db)))
  return row?.uuid
}

/** Returns which server each handle leads to. */
async function uuidsOf(database: Database): Promise<(string | undefined)[]> {
  const { writer, background, migrator } = database
  const reading = database.longSnapshot(({ db, run }) => run(uuidIn(db)))
  return await Promise.all([
    readUuid(database),
    reading.then(([row]) => row?.uuid),
    ...[writer, background, migrator].map(uuidBy),
  ])
}

function uuidIn(db: Reader["db"]): Runnable<{ uuid: string }> {
  return db.selectNoFrom(sql<string>`@@server_uuid`.as("uuid"))
}
