import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Limits, type LimitSettings } from "../../../core/request/limits.ts"
import { Problem } from "../../../core/http/problems.ts"
import { onEmbedded } from "../../support/database.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

const settings: LimitSettings = { burst: 1000, quota: 20, concurrent: 2, waiting: 1 }
const ann = { id: "ann" }

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return "let through"
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

/** Charges until a request is refused. Returns how many were let through, and why the next one was not. */
async function exhaust(charge: () => Promise<unknown>) {
  for (let count = 0;; count++) {
    const code = await codeOf(charge())
    if (code !== "let through") return [count, code]
  }
}

t.test("charge delays requests above the burst in order, and refuses those that would wait longer", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  const began = performance.now()
  const ended: number[] = []
  const outcomes = await Promise.all([0, 1, 2, 3, 4].map(async (index) => {
    const outcome = await limits.charge(ann, "a").catch((error: Problem) => error)
    if (!(outcome instanceof Problem)) ended.push(index)
    return outcome
  }))
  const waited = performance.now() - began
  t.ok(waited >= 900, `the last one waited for ${waited} ms`)
  t.strictSame(ended, [0, 1, 2, 3])
  const delays = outcomes.flatMap((outcome) => "delay" in outcome ? [outcome.delay] : [])
  t.ok(delays[0] === 0 && delays[2] && delays[3] && delays[2] < delays[3], `${delays}`)
  t.match(outcomes[4], {
    code: "too_fast",
    status: 429,
    headers: { "retry-after": "2", ratelimit: '"burst";r=0;t=2' },
  })
  t.equal(await codeOf(limits.charge(ann, "b")), "let through", "families count apart")
  t.equal(await codeOf(limits.charge({ id: "bob" }, "a")), "let through", "accounts count apart")
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
    measure(async () => (await limits.charge(ann, "a")).delay),
    measure(() => limits.chargeAddress("192.0.2.1", "a", 1000)),
  ])
  await Promise.all(requests.flat())
  t.strictSame(early, [])
  t.equal(await codeOf(limits.chargeAddress("192.0.2.1", "a")), "too_fast", "without patience")
})

t.test("charge stops waiting when the client has gone, and gives back what it took", async (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  await limits.charge(ann, "a")
  const gone = new AbortController()
  const waiting = limits.charge(ann, "a", gone.signal)
  await setTimeout(10)
  gone.abort()
  t.equal(await codeOf(waiting), "too_fast")
  t.equal(await codeOf(limits.charge(ann, "a", gone.signal)), "too_fast")
  const { delay, settle } = await limits.charge(ann, "a")
  t.ok(delay < 1000, "nobody is before it")
  t.match(settle(200), { ratelimit: /^"quota";r=18;/ })
})

t.test("chargeAddress counts per IPv4 address and per /64, in thousands of addresses, and refuses at once", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  // The clock stands: a second later, nothing of the burst would be used.
  t.capture(performance, "now", () => 1000)
  const charge = (address: string, family = "a") => codeOf(limits.chargeAddress(address, family))
  for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:3::1"]) {
    t.equal(await charge(address), "let through")
  }
  for (let n = 0; n < 1000; n++) await charge(`10.0.${n >> 8}.${n & 255}`)
  t.equal(await charge("2001:DB8:1:2::3"), "too_fast", "neighbours share the limit")
  t.equal(await charge("2001:db8:1:2::1", "b"), "let through", "families count apart")
})

t.test("refuseStranger counts per IPv4 address and per /64, and says 429 when nothing is left", (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  t.capture(performance, "now", () => 1000)
  const problem = new Problem("unauthenticated", "Log in.")
  const table = [
    ["2001:db8:1:2::1", "unauthenticated"],
    ["2001:db8:1:2:ffff::2", "too_fast"],
    ["2001:db8:1:3::1", "unauthenticated"],
    ["10.0.0.1", "unauthenticated"],
    ["10.0.0.2", "unauthenticated"],
    ["10.0.0.1", "too_fast"],
  ] as const
  for (const [address, code] of table) {
    t.equal(limits.refuseStranger(address, problem).code, code, address)
  }
  t.end()
})

t.test("charge refuses at once when the quota is used up, and tells when to come back", async (t) => {
  const limits = new Limits(settings)
  t.strictSame(await exhaust(() => limits.charge(ann, "a")), [20, "too_many_requests"])
  t.match(await limits.charge(ann, "a").catch((error: Problem) => error), {
    status: 429,
    headers: { "retry-after": /^1[78]\d$/, ratelimit: /^"quota";r=0;t=3[56]\d\d$/ },
  })
})

t.test("requests that are refused cost nothing, neither of the quota nor of the burst", async (t) => {
  const limits = new Limits({ ...settings, burst: 1 })
  await Promise.all(Array.from({ length: 30 }, () => codeOf(limits.charge(ann, "a"))))
  const { settle } = await limits.charge(ann, "a")
  t.match(settle(200), {
    "ratelimit-policy": '"burst";q=1;w=1, "quota";q=20;w=3600',
    ratelimit: /^"quota";r=17;t=5\d\d, "burst";r=0;t=[12]$/,
  })
  const few = new Limits({ ...settings, burst: 3, quota: 2 })
  const charge = () => few.charge(ann, "a")
  const admitted = [await charge(), await charge()]
  for (let n = 0; n < 20; n++) t.equal(await codeOf(charge()), "too_many_requests", `request ${n}`)
  for (const { settle } of admitted) settle(304)
  t.equal(await codeOf(charge()), "let through")
})

t.test("an unchanged answer costs a tenth of the burst and of the quota", async (t) => {
  const limits = new Limits({ ...settings, burst: 2 })
  t.capture(performance, "now", () => 1000)
  const { settle } = await limits.charge(ann, "a")
  t.match(limits.left(ann, "a"), { burst: { requests: 1, reset: 500 } })
  settle(304)
  t.match(limits.left(ann, "a"), { burst: { requests: 1, reset: 50 } })
  const quick = new Limits(settings)
  const [unchanged] = await exhaust(async () => (await quick.charge(ann, "b")).settle(304))
  t.ok(Number(unchanged) >= 190 && Number(unchanged) <= 200, `${unchanged} of a quota of 20`)
})

t.test("chargeRecords takes a request more for each further thousand records", async (t) => {
  const limits = new Limits({ ...settings, quota: 100 })
  const costs = []
  for (const records of [0, 1, 1000, 1001, 2000, 2001]) {
    const before = limits.left(ann, "a").quota.requests
    const { chargeRecords } = await limits.charge(ann, "a")
    chargeRecords(records)
    costs.push(before - limits.left(ann, "a").quota.requests)
  }
  t.strictSame(costs, [1, 1, 1, 2, 2, 3])
})

t.test("left returns what the next response would say, of one account and family, and counts nothing", async (t) => {
  const limits = new Limits({ ...settings, burst: 5 })
  const none = { requests: 20, reset: 0 }
  const of = (id: string, family = "a") => limits.left({ id }, family)
  t.match(of("ann"), { burst: { requests: 5, reset: 0 }, quota: none })
  for (let n = 0; n < 3; n++) await limits.charge(ann, "a")
  for (let n = 0; n < 2; n++) {
    const { burst, quota } = of("ann")
    t.equal(quota.requests, 17)
    t.ok(quota.reset > 500_000 && quota.reset <= 540_000, String(quota.reset))
    t.ok(burst.requests >= 2 && burst.requests <= 5, String(burst.requests))
  }
  t.match(of("ann", "b"), { quota: none }, "families count apart")
  t.match(of("an"), { quota: none }, "and so do accounts")
})

t.test("enter counts what an account has running, until it ends, to wait or for good", async (t) => {
  const limits = new Limits(settings)
  const enter = () => limits.enter(ann)
  const first = enter()
  enter()
  t.throws(enter, { code: "too_many_at_once" })
  t.doesNotThrow(() => limits.enter({ id: "bob" }), "accounts count apart")
  for (const _ of ["to wait", "at its end"]) first[Symbol.dispose]()
  enter()
  t.throws(enter, { code: "too_many_at_once" }, "it has given back one place")
})

t.test("an account may have limits of its own, and what they leave out is as for all", async (t) => {
  const limits = new Limits(settings, {
    slow: { quota: 2, concurrent: 1 },
    fast: { quota: 50 },
    toString: {},
  })
  const quotas = { slow: 2, fast: 50, ann: 20, constructor: 20 }
  for (const [username, quota] of Object.entries(quotas)) {
    const account = { id: `id of ${username}`, username }
    const [count] = await exhaust(() => limits.charge(account, "a"))
    t.equal(count, quota, username)
  }
  for (const [username, most] of [["slow", 1], ["fast", 2]] as const) {
    const enter = () => void limits.enter({ id: `id of ${username}`, username })
    for (let n = 0; n < most; n++) enter()
    t.throws(enter, { code: "too_many_at_once" })
  }
})

await onEmbedded(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build, write } = workshop
  const organization = await build.organization("acme")
  const ids: Record<string, string> = {}
  for (const status of ["running", "upcoming", "closed"]) {
    ids[status] = await build.event(organization, { status })
  }
  for (const name of ["ann", "bob", "lost"]) {
    await build.account(name)
    await build.grant(name, { organization: "acme" })
  }
  const plugins = "  - use: connector-b\n    with: { segment: b, organizations: [acme] }"
  write(plugins, "accounts: { ann: { burst: 7, poll_interval: 1200 }, lost: { quota: 2 } }")
  const service = await workshop.start()
  const [ann, bob] = [await logInto(service.fetch, "ann"), await logInto(service.fetch, "bob")]
  const told = async (get: typeof ann, status = "running") => {
    const { headers } = await get(`/b/v1/events/${ids[status]}/guests?since=0`)
    t.match(headers.get("ratelimit"), /^"quota";r=\d+;t=\d, "burst";r=\d+;t=1$/)
    const burst = /^"burst";q=(\d+);w=1, "quota";q=36000;w=3600$/
      .exec(headers.get("ratelimit-policy") ?? "")
    return [Number(burst?.[1]), Number(headers.get("poll-interval"))]
  }

  await t.test("requests for no route, and with a wrong parameter, count too", async (t) => {
    const get = await logInto(service.fetch, "lost")
    for (const path of ["/a/v1/b", `/b/v1/events/${ids["running"]}/guests?limit=0`]) {
      const statuses = []
      for (let n = 0; n < 3; n++) statuses.push((await get(path)).status)
      t.strictSame(statuses.slice(1), [statuses[0], 429], path)
    }
  })

  await t.test("GET …/guests tells an account its own limits and poll interval, and a reload changes them", async (t) => {
    t.strictSame(await told(ann), [7, 1200])
    t.strictSame(await told(bob), [50, 60])
    t.strictSame(await told(ann, "upcoming"), [7, 1200], "the least")
    t.strictSame(await told(ann, "closed"), [7, 86_400])
    write(plugins, "accounts: { bob: { burst: 9, poll_interval: 30 } }")
    t.match(await service.reload("a test"), { result: "applied" })
    t.strictSame(await told(bob), [9, 30])
    t.strictSame(await told(bob, "upcoming"), [9, 900])
    t.strictSame(await told(ann), [50, 60])
  })

  await t.test("wrong limits of an account are refused with their place", async (t) => {
    for (
      const [wrong, reason] of [["bursts: 9", /:\d+:\d+: unknown setting/], [
        "poll_interval: 0",
        /:\d+:\d+: .*whole number/,
      ]] as const
    ) {
      write(plugins, `accounts: { bob: { ${wrong} } }`)
      t.match(await service.reload("a test"), { result: "refused", reason })
    }
  })
})
