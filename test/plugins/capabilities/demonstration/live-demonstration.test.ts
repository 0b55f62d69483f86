import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import type { Participant } from "../../../../plugins/capabilities/demonstration/demonstration.ts"
import {
  isLive,
  playDemonstration,
} from "../../../../plugins/capabilities/demonstration/live-demonstration.ts"
import { freshWorkshop } from "../../../support/service.ts"

t.test("playDemonstration takes steps while the configuration in force is live, reloads included", async (t) => {
  const { start, setLive } = await workshop(t)
  const service = await start(false)
  let steps = 0
  const stop = play(service, {
    name: "one",
    async step({ db }) {
      steps++
      await db.selectFrom("organization").select("id").execute()
      t.ok(isLive(service.instance.config))
      return 0
    },
  })
  await setTimeout(100)
  t.equal(steps, 0, "it is off")
  await setLive(true)
  while (steps < 2) await setTimeout(20)
  await setLive(false)
  const until = steps
  await setTimeout(300)
  t.ok(steps <= until + 1, "it is off again, after the step that was running")
  stop()
})

t.test("playDemonstration goes on after a step that failed, and logs it at the level debug only", async (t) => {
  const { entries, start } = await workshop(t)
  const service = await start(true)
  let steps = 0
  const stop = play(service, {
    name: "clumsy",
    step: () => ++steps % 2 === 0 ? Promise.resolve(NaN) : Promise.reject(new Error("it slipped")),
  })
  while (steps < 3) await setTimeout(20)
  stop()
  const logged = entries.filter(({ message }) => message === "a step of the demonstration failed")
  t.match(logged, [{ level: "debug", participant: "clumsy", error: { message: "it slipped" } }])
})

t.test("playDemonstration lets participants count what they do", async (t) => {
  const { start } = await workshop(t)
  const service = await start(true)
  const counted = Promise.withResolvers<string>()
  const stop = play(service, {
    name: "one",
    step: ({ count }) => {
      count?.("pings")
      return Promise.resolve(1)
    },
  }, { count: counted.resolve })
  t.equal(await counted.promise, "pings")
  stop()
})

t.test("playDemonstration takes a step per second at most", async (t) => {
  const { start } = await workshop(t)
  const service = await start(true)
  const times: number[] = []
  const stop = play(service, {
    name: "hasty",
    step: () => Promise.resolve([0, -5, NaN][times.push(performance.now()) - 1] ?? 1),
  }, { least: 1 })
  while (times.length < 4) await setTimeout(20)
  stop()
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  t.ok(pauses.every((pause) => pause >= 990), pauses.join())
})

t.test("playDemonstration stops running requests, and the service closes after the step has ended", async (t) => {
  const { start, entries } = await workshop(t)
  const service = await start(true)
  const silent = createServer(() => {})
  silent.listen(0, "127.0.0.1")
  await once(silent, "listening")
  t.teardown(() => silent.close())
  const began = Promise.withResolvers<void>()
  const order: string[] = []
  let steps = 0
  const stop = play(service, {
    name: "waiting",
    async step({ db, request }) {
      steps++
      began.resolve()
      await request("/never").catch(({ name }: Error) => order.push(name))
      await db.selectFrom("organization").select("id").execute()
      await setTimeout(50)
      order.push("the step has ended")
      return 1
    },
  }, { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  await began.promise
  stop()
  await service.close()
  order.push("the service has closed")
  t.strictSame(order, ["AbortError", "the step has ended", "the service has closed"])
  await setTimeout(100)
  t.equal(steps, 1)
  t.notOk(entries.some(({ message }) => message === "a step of the demonstration failed"))
})

async function workshop(t: Test) {
  const { write, start, entries } = await freshWorkshop(t)
  const configure = (live: boolean) =>
    write("  - use: health", `demonstration: { module: ./none.ts, live: ${live} }`)
  let service: Awaited<ReturnType<typeof start>>
  return {
    entries,
    async start(live: boolean) {
      configure(live)
      return service = await start()
    },
    async setLive(live: boolean) {
      configure(live)
      t.match(await service.reload("a test"), { result: "applied" })
    },
  }
}

function play(
  service: Parameters<typeof playDemonstration>[1]["service"],
  participant: Participant,
  { url = "http://127.0.0.1:9", least = 0.02, ...others }: Partial<
    Pick<Parameters<typeof playDemonstration>[1], "url" | "least" | "count">
  > = {},
): () => void {
  const demonstration = {
    fill: () => Promise.resolve(),
    guide: () => "",
    participants: () => [participant],
  }
  const paces = { afterFailure: 0, whileOff: 0, least }
  return playDemonstration(demonstration, { service, url, ...paces, ...others })
}
