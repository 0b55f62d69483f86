// slow: starts and kills six MySQL servers
import t from "tap"
import { ownMysql } from "../mysql/own-server.ts"
import { startGroup } from "./group.ts"
import { startReplicas } from "./replicas.ts"

const { signal } = new AbortController()
const program = await ownMysql()
const skip = typeof program === "string" && program
const count = "select count(*) as count from kept.row"
const create = [
  "create database kept",
  "create table kept.row (id int auto_increment primary key)",
  "insert into kept.row values ()",
]

t.test(
  "a group has another primary after its primary was killed, and takes it back",
  { skip },
  async (t) => {
    if (typeof program === "string") return
    const group = await startGroup(t, { program, signal })
    const first = await group.untilPrimary()
    await first.run(...create)
    await first.kill()
    const second = await group.untilPrimary()
    t.not(second, first)
    await second.run("insert into kept.row values ()")
    await group.heal()
    for (const node of group.nodes) t.strictSame(await node.ask(count), [{ count: 2 }])
    await group.switchTo(first)
    t.equal(await group.untilPrimary(), first)
  },
)

t.test("a replica becomes primary without commits that it never received", { skip }, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, { program, signal, replicas: [{}, { delay: 1 }] })
  const { nodes: [first, second], primary } = set
  if (!first || !second) return
  t.equal(primary, first)
  await first.run(...create)
  await set.untilCaughtUp()
  await t.rejects(second.run("insert into kept.row values ()"), /super-read-only/)
  await set.failOver(second, async () => void await first.run("insert into kept.row values ()"))
  t.equal(set.primary, second)
  await set.rebuild(first)
  await set.untilCaughtUp()
  for (const node of set.nodes) t.strictSame(await node.ask(count), [{ count: 1 }])
  await set.switchTo(first)
  await set.heal()
  t.equal(set.primary, first)
  await first.run("insert into kept.row values ()")
})
