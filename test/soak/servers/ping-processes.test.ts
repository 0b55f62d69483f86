import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import t from "tap"
import { secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { openReceiver } from "../../support/ping/receiver.ts"
import { openStage } from "../../support/ping/stage.ts"

t.test(
  "whichever process is killed, another one goes on",
  async (t) => {
    const stage = await openStage(t, "sqlite")
    const { build, event } = stage
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, "config.yaml")
    const text = readFileSync("config/event-export.yaml", "utf8")
    writeFileSync(file, text.replace(/^ +loopback: .*$/m, "  loopback: true"))
    const start = async () => {
      const { child } = await startProcess(t, "node", {
        ...{ DATABASE_URL: stage.url, SESSION_SECRET: secret, PORT: "0", CONFIG: file },
      })
      return child
    }
    const kill = async (child: Awaited<ReturnType<typeof start>>) => {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
    const receiver = await openReceiver(t)
    const id = await stage.register("partner", receiver.url, { state: "unconfirmed", sent_seq: 0 })
    const untilTold = async (key: string) => {
      while (!receiver.read().includes(key)) await sleep(50)
    }
    let one = await start()
    const two = await start()
    while ((await stage.row(id))?.state !== "on") await sleep(50)
    await t.test("the sender of two", async (t) => {
      await build.guest(event)
      await untilTold(`${event} guests`)
      t.equal(receiver.messages.filter(({ type }) => type === "challenge").length, 1)
      await kill(one)
      await build.item("tickets", event)
      await stage.endLease()
      await untilTold(`${event} items`)
      one = await start()
      await kill(two)
      await build.guest(event)
      await stage.endLease()
      await untilTold(`${event} guests`)
    })
    await t.test("the only one, while a change was pending", async () => {
      receiver.behave = () => "hang"
      await build.guest(event)
      const before = receiver.messages.length
      while (receiver.messages.length === before) await sleep(50)
      await build.item("pledges", event)
      await kill(one)
      receiver.read()
      receiver.behave = () => 204
      one = await start()
      await stage.endLease()
      const told = new Set<string>()
      while (told.size < 2) {
        for (const key of receiver.read()) told.add(key)
        await sleep(50)
      }
    })
    await t.test("one that is asked to end lets the next one begin at once", async (t) => {
      const next = await start()
      one.kill("SIGTERM")
      await once(one, "exit")
      await build.guest(event)
      await untilTold(`${event} guests`)
      t.match(await stage.row(id), { state: "on", attempts: 0 })
      next.kill("SIGTERM")
      await once(next, "exit")
      const [sender] = await stage.database.writer.selectFrom("ping_sender").selectAll().execute()
      t.equal(sender?.until, 0)
    })
  },
)
