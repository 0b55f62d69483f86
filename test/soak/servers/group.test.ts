import t from "tap"
import type { Server } from "../../../plugins/capabilities/servers/server.ts"
import { startGroup } from "../support/cluster/group.ts"
import { type ClusterNode, urlOf } from "../support/cluster/node.ts"
import { openServers, openServersFor } from "../../support/open-servers.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"

const program = await ownMysql()
const skip = typeof program === "string" && program
const { signal } = new AbortController()
const options = { connections: 2, timeLimit: 10 }

t.test("a primary that was frozen is none afterwards, although it takes itself for it", {
  skip,
}, async (t) => {
  if (typeof program === "string") return
  const group = await startGroup(t, { program, signal })
  const first = await group.untilPrimary()
  await first.run(
    "create database kept",
    "create table kept.item (id int auto_increment primary key)",
    "create user app identified by 'app'",
    "grant all on kept.* to app",
  )
  const url = urlOf(group.nodes, { database: "kept", user: "app", password: "app" })
  await t.rejects(openServers(url, options), {
    name: "Unavailable",
    message: /belongs to a group that the user may not see \("event-export grants"/,
  })
  await first.run("grant select on performance_schema.* to app")
  const database = await openServersFor(t, url, options)
  const servers = database.servers
  const frozen = servers.all.find(({ name }) => name === first.name) as Server
  t.equal(servers.primary, frozen)
  t.match(frozen.state, {
    isWritable: true,
    group: {
      state: "ONLINE",
      role: "PRIMARY",
      primary: first.uuid,
      members: 3,
      hasMajority: true,
      hasPrimary: true,
    },
  })

  t.equal(await servers.confirm(frozen), true)
  const away = group.nodes.find((node) => node !== first && node.name !== servers.primary?.name)
  away?.relay.stall()
  t.equal(await servers.confirm(frozen), true, "more than half have seen it")
  away?.relay.resume()
  const others = servers.all.filter((server) => server !== frozen)
  for (const server of others) t.equal(await servers.confirm(server), false)
  const [second, third] = group.nodes.filter((node) => node !== first) as [ClusterNode, ClusterNode]
  const serverOf = ({ name }: ClusterNode) =>
    others.find((server) => server.name === name) as Server
  await second.run("set global group_replication_member_weight = 90")
  await second.connected(async (connection) => {
    await connection.query("lock tables kept.item read")
    await first.run("insert into kept.item values ()")
    while ((await third.ask("select 1 from kept.item")).length === 0) await servers.refresh()
    t.equal(servers.isStranded(serverOf(third)), false)
    first.pause()
    do await servers.refresh()
    while (serverOf(third).state?.group?.primary !== second.uuid)
    t.equal(servers.primary, undefined, "the next primary has a backlog")
    t.equal(servers.isStranded(serverOf(third)), true, "nothing can be committed")
    t.equal(servers.isStranded(serverOf(second)), true)
  })
  do await servers.refresh()
  while (!servers.primary)
  t.equal(servers.primary.name, second.name)
  t.equal(servers.isStranded(serverOf(third)), false)
  first.resume()
  do await servers.refresh()
  while (!frozen.state)
  t.equal(await servers.confirm(frozen), false, "others know better")
  // For some seconds. A busy machine may miss them.
  if (!frozen.state.isWritable) t.comment("it has learnt already that it was replaced")
  t.equal(servers.primary.name, second.name)
  const another = await openServersFor(t, url, options)
  t.equal(another.servers.primary?.name, second.name, "nor does it deceive who comes now")
})
