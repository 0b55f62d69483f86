import { setTimeout } from "node:timers/promises"
import t from "tap"
import { startInstance } from "../../../core/kernel/instance.ts"
import { testConfig } from "../../support/app.ts"
import { withoutMysql } from "../../support/database.ts"
import { openPlatform } from "../../support/handbook-platform.ts"
import { scannedLog } from "../../support/scanned-log.ts"
import { logInto } from "../../support/service.ts"

const now = () => Math.floor(Date.now() / 1000)

t.test("the triggers of the handbook", { skip: withoutMysql }, async (t) => {
  const { url, gala, connect, attend } = await openPlatform(t, { triggers: true })
  const ada = await attend("Ada")

  await t.test("Next-Since stays behind a long transaction, which then is read", async (t) => {
    const plan = await testConfig(url)
    const config = { ...plan, database: { ...plan.database, own_triggers: true } }
    const instance = await startInstance(config, { log: scannedLog(t, []) })
    t.teardown(() => instance.close())
    const get = await logInto(instance.fetch, "ann")
    const poll = async (since: number, etag = "") => {
      const headers: Record<string, string> = etag ? { "if-none-match": etag } : {}
      const response = await get(`/connector-b/v1/events/${gala}/guests?since=${since}`, headers)
      const guests = response.status === 200 ? await response.json() : []
      return {
        status: response.status,
        names: new Map(
          guests.map((each: { id: string; lastName: string }) => [each.id, each.lastName]),
        ),
        next: Number(response.headers.get("next-since")),
        etag: response.headers.get("etag") ?? "",
      }
    }
    const long = await connect()
    await long("start transaction")
    await long("update attendee set surname = 'Long' where uuid = ?", [ada])
    const began = now()
    await setTimeout(4500)
    const grace = await attend("Grace")
    const during = await poll(began - 3)
    t.ok(during.names.has(grace))
    t.not(during.names.get(ada), "Long")
    t.ok(during.next <= began, `${during.next} is not after ${began}`)
    await long("commit")
    const after = await poll(during.next, during.etag)
    t.equal(after.status, 200, "not 304")
    t.equal(after.names.get(ada), "Long")
    let { next } = after
    while (next < began + 4) {
      await setTimeout(200)
      next = (await poll(next)).next
    }
    t.pass("then it moves on")
  })
})
