// Starts a cluster for experiments, and keeps it until this process is ended:
//   node test/soak/support/cluster/up.ts group            three servers with Group Replication
//   node test/soak/support/cluster/up.ts replicas [2]     a primary and two replicas, the second one so many seconds late
// Lines on standard input disturb it: kill 0, pause 1, resume 1, cut 2, freeze 2, restore 2, restart 0, primary 1, heal.
import process from "node:process"
import { createInterface } from "node:readline"
import { localMysql } from "../../../support/mysql/programs.ts"
import { startGroup } from "./group.ts"
import { startReplicas } from "./replicas.ts"

const stopping = new AbortController()
const { signal } = stopping
const ends: (() => unknown)[] = []
const stop = async () => {
  stopping.abort()
  for (const end of ends) await end()
  process.exit()
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)

const [kind = "group", delay = "0"] = process.argv.slice(2)
const options = { program: await localMysql(signal), signal }
const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
const cluster = kind === "group"
  ? await startGroup(t, options)
  : await startReplicas(t, { ...options, replicas: [{}, { delay: Number(delay) }] })
const { nodes } = cluster
for (const node of nodes) console.log(`pid ${node.pid}: ${node.url()} by relay ${node.relay.url}`)
console.log(`all: ${nodes[0]?.relay.url.replace(/[^@]*$/, nodes.map(({ name }) => name).join())}`)

for await (const line of createInterface({ input: process.stdin })) {
  const [command = "", number = "0"] = line.split(" ")
  const node = nodes[Number(number)]
  if (!node) continue
  try {
    if (command === "kill") await node.kill()
    else if (command === "pause") node.pause()
    else if (command === "resume") node.resume()
    else if (command === "cut") node.relay.goAway()
    else if (command === "freeze") node.relay.stall()
    else if (command === "restore") {
      node.relay.resume()
      await node.relay.comeBack()
    } else if (command === "restart") await cluster.restart(node)
    else if (command === "primary") await cluster.switchTo(node)
    else if (command === "heal") await cluster.heal()
    console.log(`${line}: done`)
  } catch (error) {
    console.log(`${line}: ${(error as Error).message}`)
  }
}
await new Promise(() => {})
