import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Limits, type LimitSettings } from "../../../core/request/limits.ts"
import { Problem } from "../../../core/http/problems.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, onEmbedded, openFor } from "../../support/database.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

const settings: LimitSettings = { burst: 5, quota: 20, concurrent: 2, waiting: 1 }

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return "let through"
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

t.test("charge delays requests above the burst in order, and refuses those that would wait longer", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  const began = performance.now()
  const ended: number[] = []
  const outcomes = await Promise.all([0, 1, 2, 3, 4].map(async (index) => {
    const outcome = await limits.charge({ id: "ann" }, "a").catch((error: Problem) => error)
    if (!(outcome instanceof Problem)) ended.push(index)
    return outcome
  }))
  const waited = performance.now() - began
  t.ok(waited >= 900, `the last one waited for ${waited} ms`)
  t.strictSame(ended, [0, 1, 2, 3])
  const delays = outcomes.flatMap((outcome) => "delay" in outcome ? [outcome.delay] : [])
  t.ok(delays[0] === 0 && delays[2] && delays[3] && delays[2] < delays[3], `${delays}`)
  t.ok(delays.every((delay) => delay <= 1000), `${delays}`)
  t.match(outcomes[4], {
    code: "too_fast",
    status: 429,
    headers: { "retry-after": "2", ratelimit: '"burst";r=0;t=2' },
  })
  t.equal(await codeOf(limits.charge({ id: "ann" }, "b")), "let through", "families count apart")
  t.equal(await codeOf(limits.charge({ id: "bob" }, "a")), "let through", "accounts count apart")
})

t.test("requests of a thousand other addresses make the limits forget none", async (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  // The clock stands: a second later, nothing of the burst would be used.
  t.capture(performance, "now", () => 1000)
  await limits.chargeAddress("192.0.2.1", "a")
  for (let n = 0; n < 1000; n++) await limits.chargeAddress(`10.0.${n >> 8}.${n & 255}`, "a")
  t.equal(await codeOf(limits.chargeAddress("192.0.2.1", "a")), "too_fast")
})

t.test("charge refuses at once when the quota is used up, and tells when to come back", async (t) => {
  const limits = new Limits({ ...settings, burst: 1000 })
  for (let n = 0; n < 20; n++) await limits.charge({ id: "ann" }, "a")
  const quota = await limits.charge({ id: "ann" }, "a").catch((error: Problem) => error)
  t.match(quota, {
    code: "too_many_requests",
    status: 429,
    headers: { "retry-after": /^3[56]\d\d$/, ratelimit: /^"quota";r=0;t=3[56]\d\d$/ },
  })
})

t.test("requests that the quota refuses cost nothing of the burst, and delay no later one", async (t) => {
  const limits = new Limits({ ...settings, burst: 2, quota: 1 })
  const { settle } = await limits.charge({ id: "ann" }, "a")
  for (let n = 0; n < 20; n++) {
    t.equal(await codeOf(limits.charge({ id: "ann" }, "a")), "too_many_requests", `request ${n}`)
  }
  await settle(200)

  const tenth = new Limits({ ...settings, burst: 1000, quota: 10 })
  const running = []
  for (let n = 0; n < 10; n++) running.push(await tenth.charge({ id: "ann" }, "a"))
  for (let n = 0; n < 10; n++) await codeOf(tenth.charge({ id: "ann" }, "a"))
  for (const { settle } of running) await settle(304)
  for (let n = 0; n < 9; n++) t.equal(await codeOf(tenth.charge({ id: "ann" }, "a")), "let through")
  t.equal(await codeOf(tenth.charge({ id: "ann" }, "a")), "too_many_requests")
})

t.test("requests that are refused cost nothing, neither of the quota nor of the burst", async (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => codeOf(limits.charge({ id: "ann" }, "a"))),
  )
  t.equal(outcomes.filter((outcome) => outcome === "let through").length, 2)
  const { settle } = await limits.charge({ id: "ann" }, "a")
  t.match(await settle(200), {
    "ratelimit-policy": '"burst";q=1;w=1, "quota";q=20;w=3600',
    ratelimit: /^"quota";r=17;t=3\d+, "burst";r=0;t=[12]$/,
  })
})

t.test("charge and chargeAddress let no request go on early, not by a part of a millisecond", async (t) => {
  const limits = new Limits({ ...settings, burst: 19, quota: 100 })
  const early: number[] = []
  const measure = async (charge: () => Promise<number>) => {
    const began = performance.now()
    const delay = await charge()
    const waited = performance.now() - began
    if (waited < delay) early.push(delay - waited)
  }
  const requests = Array.from({ length: 36 }, () => [
    measure(async () => (await limits.charge({ id: "ann" }, "a")).delay),
    measure(() => limits.chargeAddress("192.0.2.1", "a", 1000)),
  ])
  await Promise.all(requests.flat())
  t.strictSame(early, [])
})

t.test("charge stops waiting when the client has gone, and gives back what it took", async (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  await limits.charge({ id: "ann" }, "a")
  const gone = new AbortController()
  const waiting = limits.charge({ id: "ann" }, "a", gone.signal)
  await setTimeout(10)
  gone.abort()
  t.equal(await codeOf(waiting), "too_fast")
  t.equal(await codeOf(limits.charge({ id: "ann" }, "a", gone.signal)), "too_fast")
  const { delay, settle } = await limits.charge({ id: "ann" }, "a")
  t.ok(delay < 1000, "nobody is before it")
  t.match(await settle(200), { ratelimit: /^"quota";r=18;/ })
})

t.test("chargeAddress counts per IPv4 address and per /64, and refuses at once", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  const charge = (address: string, family = "a") => codeOf(limits.chargeAddress(address, family))
  t.strictSame(
    [await charge("2001:db8:1:2::1"), await charge("2001:db8:1:2:ffff::2")],
    ["let through", "let through"],
  )
  t.equal(await charge("2001:DB8:1:2::3"), "too_fast", "neighbours share the limit")
  t.equal(await charge("2001:db8:1:3::1"), "let through")
  t.equal(await charge("192.0.2.1"), "let through")
  t.equal(await charge("192.0.2.2"), "let through")
  t.equal(await charge("2001:db8:1:2::1", "b"), "let through", "families count apart")
})

t.test("chargeAddress lets a request wait that is patient enough, and returns how long it waited", async (t) => {
  const limits = new Limits({ ...settings, burst: 20 })
  const waits = await Promise.all(
    Array.from({ length: 22 }, () => limits.chargeAddress("192.0.2.1", "a", 150)),
  )
  t.strictSame(waits.slice(0, 20), Array(20).fill(0))
  t.ok(waits.slice(20).every((wait) => wait > 0), JSON.stringify(waits))
  t.equal(await codeOf(limits.chargeAddress("192.0.2.1", "a")), "too_fast", "without patience")
})

t.test("an unchanged answer costs a tenth of the burst", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  t.capture(performance, "now", () => 1000)
  const { settle } = await limits.charge({ id: "ann" }, "a")
  t.match(await limits.left({ id: "ann" }, "a"), { burst: { requests: 1, reset: 500 } })
  await settle(304)
  t.match(await limits.left({ id: "ann" }, "a"), { burst: { requests: 1, reset: 50 } })
})

t.test("an unchanged answer costs a tenth of the quota", async (t) => {
  const limits = new Limits({ ...settings, burst: 1000 })
  let unchanged = 0
  while (
    await codeOf(limits.charge({ id: "ann" }, "a").then(({ settle }) => settle(304))) ===
      "let through"
  ) {
    unchanged++
  }
  t.ok(unchanged >= 190 && unchanged <= 200, `${unchanged} of a quota of 20`)
})

t.test("chargeRecords takes a request more for each further thousand records", async (t) => {
  const limits = new Limits({ ...settings, burst: 1000, quota: 100 })
  const charge = () => limits.charge({ id: "ann" }, "a")
  const left = async () => {
    const { ratelimit } = await (await charge()).settle(200) as Record<string, string>
    return Number(/"quota";r=(\d+)/.exec(ratelimit ?? "")?.[1])
  }
  const costs = []
  for (const records of [0, 1, 1000, 1001, 2000, 2001]) {
    const before = await left()
    await (await charge()).chargeRecords(records)
    costs.push(before - await left() - 1)
  }
  t.strictSame(costs, [1, 1, 1, 2, 2, 3])
})

t.test("left returns what the next response would say, of one account and family, and counts nothing", async (t) => {
  const limits = new Limits(settings)
  const none = { requests: 20, reset: 0 }
  const of = (id: string, family = "a") => limits.left({ id }, family)
  t.match(await of("ann"), { burst: { requests: 5, reset: 0 }, quota: none })
  for (let n = 0; n < 3; n++) await limits.charge({ id: "ann" }, "a")
  for (let n = 0; n < 2; n++) {
    const { burst, quota } = await of("ann")
    t.equal(quota.requests, 17)
    t.ok(quota.reset > 3_500_000 && quota.reset <= 3_600_000, String(quota.reset))
    t.ok(burst.requests >= 2 && burst.requests <= 5, String(burst.requests))
  }
  t.match(await of("ann", "b"), { quota: none }, "families count apart")
  t.match(await of("an"), { quota: none }, "and so do accounts")
  const refunded = await limits.charge({ id: "bob" }, "a")
  await refunded.settle(304)
  t.match(await of("bob"), { quota: { requests: 19 } })
})

t.test("enter counts what an account has running, until it ends", async (t) => {
  const limits = new Limits(settings)
  const running: Disposable[] = []
  const enter = async (account: string) => void running.push(limits.enter({ id: account }))
  t.equal(await codeOf(enter("ann")), "let through")
  t.equal(await codeOf(enter("ann")), "let through")
  t.equal(await codeOf(enter("ann")), "too_many_at_once")
  t.equal(await codeOf(enter("bob")), "let through", "accounts count apart")
  for (const request of running.splice(0)) request[Symbol.dispose]()
  t.equal(await codeOf(enter("ann")), "let through")
})

t.test("a request that leaves twice, to wait and at its end, gives back one place", async (t) => {
  const limits = new Limits(settings)
  const enter = () => limits.enter({ id: "ann" })
  const [waited] = [enter(), enter()]
  for (const _ of [1, 2]) waited?.[Symbol.dispose]()
  enter()
  t.throws(enter, { code: "too_many_at_once" })
})

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 300)
  for (const name of ["flood", "calm"]) {
    await build.account(name)
    await build.grant(name, { event })
  }
  const start = async (limits: LimitSettings) => {
    const instance = await startInstance({ ...await testConfig(url), limits }, {
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    })
    t.teardown(() => instance.close())
    return instance
  }
  const path = `/connector-b/v1/events/${event}/guests`

  await t.test("answers carry the RateLimit fields, and 429 tells when to come back", async (t) => {
    const { fetch } = await start({ burst: 3, quota: 100, concurrent: 4, waiting: 1 })
    const get = await logInto(fetch, "calm")
    const answer = await get(`${path}?limit=1`)
    t.match(answer.headers.get("ratelimit-policy"), '"burst";q=3;w=1, "quota";q=100;w=3600')
    t.match(answer.headers.get("ratelimit"), /^"quota";r=99;t=3\d+, "burst";r=2;t=1$/)
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(`${path}?limit=1`)))
    const last = answers.find(({ status }) => status === 429)
    t.ok(last)
    t.equal(last?.headers.get("retry-after"), "1")
    t.match(await last?.json(), { code: "too_many_at_once" })
  })

  await t.test("requests for no route, and with a wrong parameter, count too", async (t) => {
    for (const [refused, status] of [["/a/v1/b", 404], [`${path}?limit=0`, 400]] as const) {
      const { fetch } = await start({ burst: 1000, quota: 3, concurrent: 4, waiting: 1 })
      const get = await logInto(fetch, "calm")
      const statuses = []
      for (let n = 0; n < 4; n++) statuses.push((await get(refused)).status)
      t.strictSame(statuses, [status, status, status, 429], refused)
    }
  })

  await t.test("one account's flood leaves another's requests alone", async (t) => {
    const { fetch } = await start({ burst: 100_000, quota: 1_000_000, concurrent: 2, waiting: 1 })
    const [flood, calm] = [await logInto(fetch, "flood"), await logInto(fetch, "calm")]
    await Promise.all([flood("/session"), calm("/session")])
    const asked = Array.from({ length: 40 }, () => flood(path))
    const mine = await calm(`${path}?limit=1`)
    t.equal(mine.status, 200)
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    const ended = statuses.filter((status) => status === 200).length
    t.ok(ended <= 4, `${ended} of 40 were worked on, the others refused at once`)
    t.equal(statuses.filter((status) => status === 429).length, 40 - ended)
  })
})

t.test("an account may have limits of its own, and what they leave out is as for all", async (t) => {
  const limits = new Limits({ ...settings, burst: 1000 }, {
    slow: { quota: 2, concurrent: 1 },
    fast: { quota: 50 },
    toString: {},
  })
  const countOf = async (username: string) => {
    let count = 0
    while (
      await codeOf(limits.charge({ id: `id of ${username}`, username }, "a")) === "let through"
    ) {
      count++
    }
    return count
  }
  t.equal(await countOf("slow"), 2)
  t.equal(await countOf("fast"), 50)
  t.equal(await countOf("ann"), settings.quota)
  t.equal(await countOf("constructor"), settings.quota)
  using _one = limits.enter({ id: "id of slow", username: "slow" })
  const enter = async () => void limits.enter({ id: "id of slow", username: "slow" })
  t.equal(await codeOf(enter()), "too_many_at_once")
  using _first = limits.enter({ id: "id of fast", username: "fast" })
  using _second = limits.enter({ id: "id of fast", username: "fast" })
})

await onEmbedded(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build, write } = workshop
  const organization = await build.organization("acme")
  const ids: Record<string, string> = {}
  for (const status of ["running", "upcoming", "closed"]) {
    ids[status] = await build.event(organization, { status })
  }
  for (const name of ["ann", "bob"]) {
    await build.account(name)
    await build.grant(name, { organization: "acme" })
  }
  const plugins = "  - use: connector-b\n    with: { segment: b, organizations: [acme] }"
  write(plugins, "accounts: { ann: { burst: 7, poll_interval: 1200 } }")
  const service = await workshop.start()
  const [ann, bob] = [await logInto(service.fetch, "ann"), await logInto(service.fetch, "bob")]
  const headersOf = async (get: typeof ann, status: string, name: string) => {
    const response = await get(`/b/v1/events/${ids[status]}/guests?since=0`)
    return response.headers.get(name)
  }

  await t.test("GET …/guests tells an account its own limits and poll interval", async (t) => {
    const policy = (burst: number) => `"burst";q=${burst};w=1, "quota";q=36000;w=3600`
    t.equal(await headersOf(ann, "running", "ratelimit-policy"), policy(7))
    t.equal(await headersOf(bob, "running", "ratelimit-policy"), policy(50))
    t.equal(await headersOf(ann, "running", "poll-interval"), "1200")
    t.equal(await headersOf(ann, "upcoming", "poll-interval"), "1200", "the least")
    t.equal(await headersOf(ann, "closed", "poll-interval"), "86400")
    t.equal(await headersOf(bob, "running", "poll-interval"), "60")
  })

  await t.test("a reload changes the limits and the poll interval of an account", async (t) => {
    write(plugins, "accounts: { bob: { burst: 9, poll_interval: 30 } }")
    t.match(await service.reload("a test"), { result: "applied" })
    t.match(await headersOf(bob, "running", "ratelimit-policy"), /^"burst";q=9;/)
    t.equal(await headersOf(bob, "running", "poll-interval"), "30")
    t.equal(await headersOf(bob, "upcoming", "poll-interval"), "900")
    t.match(await headersOf(ann, "running", "ratelimit-policy"), /^"burst";q=50;/)
    t.equal(await headersOf(ann, "running", "poll-interval"), "60")
  })

  await t.test("wrong limits of an account are refused with their place", async (t) => {
    write(plugins, "accounts: { bob: { bursts: 9 } }")
    t.match(await service.reload("a test"), { result: "refused", reason: /bursts/ })
    write(plugins, "accounts: { bob: { poll_interval: 0 } }")
    t.match(await service.reload("a test"), { result: "refused", reason: /whole number/ })
  })
})
