import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import t, { type Test } from "tap"
import { Observations } from "../chaos/observations.ts"
import { Judge } from "./judge.ts"
import { Readiness } from "./readiness.ts"

/** A service that answers only probes, until the test ends. */
async function openProbed(t: Test) {
  const state = { status: 200, probes: 0 }
  const server = createServer((_, response) => {
    state.probes++
    response.writeHead(state.status).end(JSON.stringify({ detail: "Not ready: no server is fit." }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const service = {
    name: "one",
    life: "one, life 1",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  const observations = new Observations()
  const readiness = new Readiness([service], observations)
  t.teardown(async () => {
    await readiness.close()
    server.close()
  })
  /** Lets it answer so from now on, and waits until a probe that began then was answered. */
  const answer = async (status: number) => {
    state.status = status
    for (const least = state.probes + 2; state.probes < least;) await sleep(20)
  }
  await answer(200)
  return { service, answer, observations, judge: new Judge(observations, readiness) }
}

/** A poll that was refused with 503. */
const refused = (sent = performance.now()) =>
  ({ method: "GET", status: 503, life: "one, life 1", wasServing: true, sent }) as const

t.test("polls that are refused need a service that says that it is not ready", async (t) => {
  const { service, answer, observations, judge } = await openProbed(t)
  observations.fault = "kill-all"
  t.notOk(judge.allows(refused()), "the fault does not excuse it")
  judge.excuse()
  t.ok(judge.allows(refused()))
  judge.checkRefusals()
  t.strictSame(observations.violations, [], "the service may still say so")
  judge.checkRefusals(Infinity)
  t.match(observations.violations, [/refused by a service that said that it was ready \(2 times\)/])
  const began = performance.now()
  judge.checkReady([service], began)
  t.equal(observations.violations.length, 1)
  await answer(503)
  t.ok(judge.allows(refused(began)))
  judge.checkRefusals(Infinity)
  t.equal(observations.violations.length, 1, "it has said so")
  judge.checkReady([service], began)
  t.match(observations.violations[1], /one was not ready, although it could answer: .*no server/)
  t.equal(judge.refused.get("kill-all"), 3)
})

t.test("a service that alone cannot reach the primary may refuse polls once it is not ready", async (t) => {
  const { service, answer, observations, judge } = await openProbed(t)
  judge.cutOff = service
  t.notOk(judge.allows(refused()))
  judge.checkCutOff(service)
  t.match(observations.violations, [/one is ready, although it alone cannot reach the primary/])
  await answer(503)
  t.ok(judge.allows(refused()))
  judge.checkCutOff(service)
  t.equal(observations.violations.length, 1)
})

t.test("polls may not wait for more than 15 s", async (t) => {
  const { observations, judge } = await openProbed(t)
  observations.fault = "hang-commits"
  const began = performance.now()
  observations.time(began, "/acme/v1/events", began + 14_000)
  judge.checkPromptness("hang-commits")
  t.strictSame(observations.violations, [])
  observations.time(began - 20_000, "/acme/v1/events", began + 16_000)
  judge.checkPromptness("hang-commits")
  t.match(observations.violations, [/hang-commits let a poll wait .*: \/acme\/v1\/events/])
  observations.fault = "cut-off"
  observations.time(began, "/acme/v1/events", performance.now() + 30_000)
  judge.checkPromptness("cut-off")
  t.match(observations.violations[1], /cut-off let a poll wait/, "it waited longest in this one")
  judge.excuse()
  judge.checkPromptness("cut-off")
  t.equal(observations.violations.length, 2, "a server that has ended excuses it")
})
