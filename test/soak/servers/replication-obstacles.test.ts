import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { grantStatements } from "../../../plugins/databases/mysql/privileges.ts"
import { findOmitted } from "../../../plugins/capabilities/servers/replication-filters.ts"
import { readServerState, stateTables } from "../../../plugins/capabilities/servers/server-state.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../conformance/instance.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { allStorages } from "../../support/storages.ts"
import type { Plan } from "../../../core/routes/plan.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { startGroup } from "../support/cluster/group.ts"
import { type ClusterNode, urlOf } from "../support/cluster/node.ts"
import { startReplicas } from "../support/cluster/replicas.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"
import { openFor } from "../../support/database.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { type CommandOutcome, runCommand } from "../../support/run-command.ts"
import { logInto } from "../../support/service.ts"
import { scannedLog } from "../../support/scanned-log.ts"

const tables = tablesOf(allStorages)

const { signal } = new AbortController()
const program = await ownMysql()
const skip = typeof program === "string" ? program : false

// The database has the tables of all capabilities.
const withAll = "connect: {}\n"
const withoutServers = "capabilities: [check]\n"

const user = { user: "serve", password: "a password", database: "events" }

t.test("a primary with a replica", { skip }, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, { program, signal, replicas: [{}] })
  const [primary, replica] = set.nodes
  if (!primary || !replica) return
  await prepare(t, primary, { hasSeveral: true })
  await set.untilCaughtUp()
  const both = checker(t, [primary], [replica])
  const good = { code: 0, err: /^(warning: organization acme: .*)?$/ }

  await t.test("which are set up well, is served with exactly the grants", async (t) => {
    const build = new Builder(await openFor(t, primary.url("events")))
    const event = await build.event(await build.organization("acme"))
    await build.guests(event, 3)
    await build.account("ann")
    await build.grant("ann", { event })
    const entries: Record<string, unknown>[] = []
    const service = await startInstance(await replicated(primary, replica), {
      log: scannedLog(t, entries),
    })
    const get = await logInto(service.fetch, "ann")
    const read = new Set<string>()
    while (read.size < 2) {
      const { status } = await get(`/connector-b/v1/events/${event}/guests?since=-1`)
      t.equal(status, 200)
      read.add(String(entries.findLast(({ message }) => message === "request")?.["node"]))
      await setTimeout(20)
    }
    // The replica is asked once the service knows how far back Next-Since has to be.
    t.strictSame(read, new Set([primary.name, replica.name]))
    await service.close()
    t.strictSame(entries.filter(({ level }) => level === "error"), [])

    t.match(await both(), good)
    t.match(await checker(t, [primary, replica])(), good, "with the replica as another primary")
  })

  await t.test("which are set up wrongly, is refused with all that is wrong", async (t) => {
    await primary.run(
      "set global binlog_order_commits = off",
      "set global binlog_format = statement",
    )
    await replica.run(
      "stop replica",
      "set global replica_preserve_commit_order = off",
      "set global replica_exec_mode = idempotent",
      "change replication filter replicate_wild_ignore_table = ('events.sess%')",
      "start replica",
    )
    const { code, err } = await both()
    t.equal(code, 2)
    for (
      const error of [
        /: 127.* has replica_preserve_commit_order=OFF with 4 appliers: .*miss those/,
        /: 127.* has binlog_order_commits=OFF: /,
        /: 127.* has binlog_format=STATEMENT: /,
        /: 127.* continues after changes that it cannot apply/,
        /: 127.* has a replication filter that leaves out session: /,
      ]
    ) t.match(err, error)
    t.equal(err.match(/^error: /gm)?.length, 5)
    await primary.run("set global binlog_order_commits = on", "set global binlog_format = row")
    await replica.run(
      "stop replica",
      "set global replica_preserve_commit_order = on",
      "set global replica_exec_mode = strict",
      "change replication filter replicate_wild_ignore_table = ()",
      "start replica",
    )
  })

  await t.test("of which the replica takes writes, or replicates from nobody, is refused", async (t) => {
    await replica.run("set global super_read_only = off", "set global read_only = off")
    t.match(await both(), {
      code: 2,
      err: /: 127.* takes writes although it is a replica \(its replication runs\): .*on it/,
    })
    await replica.run("set global super_read_only = on", "stop replica", "reset replica all")
    t.match(await both(), {
      code: 2,
      err: /: 127.* does not replicate from 127.*, nor belong to its group/,
    })
    await set.switchTo(primary)
  })
  await set.rebuild(replica)
  t.match(await both(), good)

  await t.test("a user who may not see the filters is refused", async (t) => {
    const filters = "select on performance_schema.replication_applier_filters"
    await primary.run(`revoke ${filters} from serve@'%'`)
    await set.untilCaughtUp()
    const { code, err } = await both()
    t.equal(code, 2)
    t.equal(
      err.match(/does not let the user select from performance_schema.*event-export grants/g)
        ?.length,
      2,
    )
    await primary.run(`grant ${filters} to serve@'%'`)
    await set.untilCaughtUp()
  })

  await t.test("a replica without a heartbeat is refused, at start, too", async (t) => {
    await replica.run(
      "set global super_read_only = off",
      "set session sql_log_bin = 0",
      "alter table events.change_state drop column watermark",
      "set global super_read_only = on",
    )
    const error = /lacks the heartbeat that the primary writes.*watermark/
    t.match(await both(), { code: 2, err: error })
    const starting = startInstance(await replicated(primary, replica), { log: scannedLog(t, []) })
    await t.rejects(starting, error)
    await set.rebuild(replica)
    t.match(await both(), good)
  })

  await t.test("a replica that stands still, is late on purpose, or is away: a warning", async (t) => {
    await set.stopApplier(replica)
    // It has the heartbeat of this second, which is the last one.
    const isLate = /^warning: server 127.*: its heartbeat does not follow/m
    let outcome = await both()
    while (!isLate.test(outcome.err)) outcome = await both()
    t.equal(outcome.code, 0)
    await replica.run(
      "stop replica",
      "change replication source to source_delay = 60",
      "start replica",
    )
    t.match(await both(), {
      code: 0,
      err: /^warning: server 127.*: it is meant to stay 60 s behind/m,
    })
    await replica.run(
      "stop replica",
      "change replication source to source_delay = 0",
      "start replica",
    )
    await replica.relay.goAway()
    t.match(await both(), {
      code: 0,
      err: /^warning: server 127.*: it does not answer \(.+\): nothing/m,
    })
    await replica.relay.comeBack()
  })

  await t.test("alone, the replica is no database", async (t) => {
    const only = checker(t, [replica])
    t.match(await only(), { code: 2, err: /^error: The database at 127.* is read-only: / })
    await replica.run("set global super_read_only = off", "set global read_only = off")
    t.match(await only(), {
      code: 2,
      err:
        /^error: 127.* takes writes although it is a replica .*Let database.url lead to its source/,
    })
    await primary.run(
      "grant select on performance_schema.replication_connection_status to serve",
      "grant select on performance_schema.replication_applier_status to serve",
    )
    const without = checker(t, [replica], undefined, withoutServers)
    t.match(await without(), { code: 2, err: /is one of several servers.* add "servers"/ })
    await replica.run("set global super_read_only = on")
    t.match(await without(), { code: 2, err: /^error: The database at 127.* is read-only: / })
    t.match(await checker(t, [primary], undefined, withoutServers)(), { code: 0 })
  })

  await t.test("filters leave out what findOmitted says", async (t) => {
    const names = ["guest", "a_b", "acb"]
    const all = [
      "do_db",
      "ignore_db",
      "do_table",
      "ignore_table",
      "wild_do_table",
      "wild_ignore_table",
    ]
    const [database] = await Promise.all([openFor(t, replica.url("events"))])
    await primary.run(
      "create database kept",
      ...names.map((name) => `create table kept.${name} (id int auto_increment primary key)`),
    )
    await set.untilCaughtUp()
    const chosen: readonly Readonly<Record<string, string>>[] = [
      { do_db: "(events, kept)" },
      { do_db: "(kept)", ignore_db: "(kept)" },
      { ignore_db: "(kept)", do_table: "(kept.guest)" },
      { do_table: "(kept.guest)", ignore_table: "(kept.guest, kept.acb)" },
      { wild_do_table: "('kept.a\\\\_b')" },
      { wild_ignore_table: "('k%.%b')" },
      { do_table: "(kept.acb)", wild_ignore_table: "('kept.%')" },
      { ignore_table: "(kept.acb)", wild_do_table: "('%.a%')" },
      {},
    ]
    for (const rules of chosen) {
      const clauses = all.map((name) => `replicate_${name} = ${rules[name] ?? "()"}`)
      await replica.run(
        "stop replica sql_thread",
        `change replication filter ${clauses}`,
        "start replica sql_thread",
      )
      const before = await counts(replica, names)
      await primary.run(...names.map((name) => `insert into kept.${name} values ()`))
      await set.untilCaughtUp()
      const after = await counts(replica, names)
      const { filters } = await readServerState(database.writer)
      const needed = { database: "kept", tables: names }
      t.strictSame(
        findOmitted(filters.filter(({ channel }) => channel === ""), needed),
        names.filter((_, index) => after[index] === before[index]),
        JSON.stringify(rules),
      )
    }
  })
})

t.test("the only server belongs to a group", { skip }, async (t) => {
  if (typeof program === "string") return
  const { nodes: [node] } = await startGroup(t, { program, signal, size: 1 })
  if (!node) return
  await prepare(t, node, { hasSeveral: false })
  const check = checker(t, [node])
  t.match(await check(), { code: 0 }, "whose user may not see it")
  t.match(await checker(t, [node], undefined, withoutServers)(), {
    code: 2,
    err: /is one of several servers.* add "servers"/,
  })

  await node.run("set global group_replication_consistency = eventual")
  t.match(await check(), {
    code: 2,
    err: /^error: 127.* has group_replication_consistency=EVENTUAL/,
  })
  await node.run("set global group_replication_consistency = before_on_primary_failover")

  await node.run("select group_replication_switch_to_multi_primary_mode()")
  t.match(await check(), {
    code: 2,
    err: /^error: 127.* belongs to a group with several primaries/,
  })
  await node.run("select group_replication_switch_to_single_primary_mode()")
  t.match(await check(), { code: 0 })
})

/** Creates the database, and a user who may exactly what `event-export grants` says. */
async function prepare(
  t: Test,
  node: ClusterNode,
  { hasSeveral }: { hasSeveral: boolean },
): Promise<void> {
  const tablesOfServers = hasSeveral ? Object.values(stateTables).flat() : []
  const serving = { name: user.user, host: "%", database: user.database, tablesOfServers }
  await node.run("create database events", `create user serve@'%' identified by '${user.password}'`)
  await migrate(await openFor(t, node.url("events")))
  await node.run(...grantStatements(serving, tables))
}

/** Returns the default configuration for a primary and a replica. */
async function replicated(primary: ClusterNode, replica: ClusterNode): Promise<Plan> {
  const config = await testConfig(urlOf([primary], user))
  const replicas = { staleness: 1, hosts: [replica.name] }
  return { ...config, database: { ...config.database, replicas } }
}

/** Returns a function that checks a configuration of these servers. */
function checker(
  t: Test,
  nodes: readonly ClusterNode[],
  replicas?: readonly ClusterNode[],
  capabilities = withAll,
) {
  const hosts = replicas?.map(({ name }) => name)
  const database = `  url: ${urlOf(nodes, user)}${
    hosts ? `\n  replicas: { hosts: ${JSON.stringify(hosts)} }` : ""
  }`
  const file = configFolder(t).write(
    `${goodConfig.replace("  url: sqlite:test.db", database)}${capabilities}`,
  )
  return async (): Promise<CommandOutcome> => await runCommand(`-c ${file} check`)
}

/** Returns how many rows the tables have. */
async function counts(node: ClusterNode, names: readonly string[]): Promise<number[]> {
  const columns = names.map((name) => `(select count(*) from kept.${name}) as ${name}`)
  const [row] = await node.run(`select ${columns}`)
  return names.map((name) => row?.[name])
}
