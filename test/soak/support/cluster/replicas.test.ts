import t from "tap"
import { ownMysql } from "../../../support/mysql/own-server.ts"
import { startReplicas } from "./replicas.ts"

const { signal } = new AbortController()
const program = await ownMysql()
const skip = typeof program === "string" && program
const count = "select count(*) as count from kept.row"
const insert = "insert into kept.row values ()"

t.test("a replica becomes primary without commits that it never received", { skip }, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, { program, signal, replicas: [{}, { delay: 1 }] })
  const { nodes: [first, second], primary } = set
  if (!first || !second) return
  t.equal(primary, first)
  await first.run(
    "create database kept",
    "create table kept.row (id int auto_increment primary key)",
    insert,
  )
  await set.untilCaughtUp()
  await t.rejects(second.run(insert), /super-read-only/)
  const outdated = await set.failOver(second, async () => void await first.run(insert))
  t.equal(set.primary, second)
  t.strictSame(outdated, [first])
  await set.rebuild(first)
  for (const node of set.nodes) t.strictSame(await node.ask(count), [{ count: 1 }])
  await set.switchTo(first)
  await set.heal()
  t.equal(set.primary, first)
  await first.run(insert)
})
