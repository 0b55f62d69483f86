import { setTimeout as sleep } from "node:timers/promises"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startReplicas } from "../support/cluster/replicas.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { openReceiver } from "../../support/ping/receiver.ts"
import { stageOn } from "../../support/ping/stage.ts"
import { workshopOn } from "../../support/service.ts"

const program = await ownMysql()
const skip = typeof program === "string" && program
const { signal } = new AbortController()

t.test(
  "no ping comes before the servers that polls are read from have the change",
  { skip },
  async (t) => {
    if (typeof program === "string") return
    const set = await startReplicas(t, { program, signal, replicas: [{}] })
    const replica = set.nodes[1] as typeof set.primary
    await set.primary.run("create database events")
    const url = set.primary.relay.url.replace(/@.*/, `@${set.primary.name},${replica.name}/events`)
    const workshop = await workshopOn(t, url, { staleness: 5 })
    await migrate(workshop.database)
    const { build, database } = workshop
    const organization = await build.organization("acme")
    const event = await build.event(organization)
    await build.account("partner")
    await build.grant("partner", { organization: "acme" })
    await set.untilCaughtUp()
    workshop.write(
      "  - use: connector-b\n    with: { segment: b, organizations: [acme] }",
      "ping: { loopback: true }",
    )
    const { instance } = await workshop.start()
    const stage = await stageOn(t, { url, database, engine: "mysql", organization, event })
    const receiver = await openReceiver(t)
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed", sent_seq: 0 })
    while ((await stage.row(id))?.state !== "on") await sleep(50)
    const count = async () => {
      const [row] = await replica.run("select count(*) as n from events.guest")
      return Number(row?.["n"])
    }
    const counts: number[] = []
    receiver.behave = async ({ list }) => {
      if (list === "guests") counts.push(await count())
      return 204
    }
    const told = async (before: number) => {
      while (counts.length === before) await sleep(20)
    }
    while (!instance.status().nodes?.every(({ stale, role }) => !stale && role !== "away")) {
      await sleep(100)
    }

    await t.test("while it is a little behind", async (t) => {
      for (let n = 0; n < 3; n++) {
        const [before, known] = [counts.length, await count()]
        await set.stopApplier(replica)
        await build.guest(event)
        await sleep(1200)
        t.equal(counts.length, before, "it does not have it, and no ping came")
        await set.startApplier(replica)
        await told(before)
        t.ok((counts.at(-1) ?? 0) > known, "at the ping it has it")
        await sleep(1000)
      }
    })

    await t.test("while it is too far behind to be asked, nobody waits for it", async (t) => {
      const before = counts.length
      await set.stopApplier(replica)
      await build.guest(event)
      await told(before)
      t.ok(instance.status().nodes?.some(({ stale }) => stale))
      await set.startApplier(replica)
    })
  },
)
