import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import type { Participant } from "../../../../plugins/capabilities/demonstration/demonstration.ts"
import {
  isLive,
  playDemonstration,
} from "../../../../plugins/capabilities/demonstration/live-demonstration.ts"
import { freshWorkshop } from "../../../support/service.ts"

const { write, start, entries } = await freshWorkshop(t)
const configure = (live: boolean) =>
  write("  - use: health", `demonstration: { module: ./none.ts, live: ${live} }`)
configure(false)
const service = await start()
const setLive = async (live: boolean) => {
  configure(live)
  t.match(await service.reload("a test"), { result: "applied" })
}
const failures = () =>
  entries.filter(({ message }) => message === "a step of the demonstration failed")

/** Plays a demonstration that a participant takes part in. Returns a function that stops it. */
function play(
  step: Participant["step"],
  options: Partial<Parameters<typeof playDemonstration>[1]> = {},
): () => void {
  const demonstration = {
    mapping: "none.yaml",
    fill: () => Promise.resolve(),
    hasArrived: () => Promise.resolve(true),
    guide: () => "",
    participants: () => [{ name: "one", step }],
  }
  const paces = { afterFailure: 0, whileOff: 0, least: 0.02 }
  return playDemonstration(demonstration, {
    service,
    // It would be the platform: participants get it as it is.
    platform: service.instance.database.writer as never,
    url: "http://127.0.0.1:9",
    ...paces,
    ...options,
  })
}

t.test("playDemonstration takes steps while the configuration in force is live, reloads included", async (t) => {
  let steps = 0
  const stop = play(async ({ db }) => {
    steps++
    await db.selectFrom("organization").select("id").execute()
    t.ok(isLive(service.instance.config))
    return 0
  })
  await setTimeout(60)
  t.equal(steps, 0, "it is off")
  await setLive(true)
  while (steps < 2) await setTimeout(5)
  await setLive(false)
  const until = steps
  await setTimeout(60)
  t.ok(steps <= until + 1, "it is off again, after the step that was running")
  stop()
})

t.test("playDemonstration pauses after each step, lets it count, and logs one that failed at the level debug", async (t) => {
  await setLive(true)
  const counted: string[] = []
  const times: number[] = []
  const stop = play(({ count }) => {
    count?.("pings")
    const step = times.push(performance.now())
    return step === 1
      ? Promise.reject(new Error("it slipped"))
      : Promise.resolve([0, -5, NaN][step % 3]!)
  }, { count: (what) => void counted.push(what) })
  while (times.length < 5) await setTimeout(5)
  stop()
  t.ok(times.slice(1).every((time, index) => time - times[index]! >= 19), times.join())
  t.strictSame(counted.slice(0, 2), ["pings", "pings"])
  t.match(failures(), [{ level: "debug", participant: "one", error: { message: "it slipped" } }])
})

t.test("playDemonstration stops running requests, and the service closes after the step has ended", async (t) => {
  const silent = createServer(() => {})
  silent.listen(0, "127.0.0.1")
  await once(silent, "listening")
  t.teardown(() => silent.close())
  const began = Promise.withResolvers<void>()
  const order: string[] = []
  const stop = play(async ({ db, request }) => {
    began.resolve()
    await request("/never").catch(({ name }: Error) => order.push(name))
    await db.selectFrom("organization").select("id").execute()
    await setTimeout(50)
    order.push("the step has ended")
    return 0
  }, { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  await began.promise
  stop()
  await service.close()
  order.push("the service has closed")
  await setTimeout(60)
  t.strictSame(order, ["AbortError", "the step has ended", "the service has closed"])
  t.equal(failures().length, 1)
})
