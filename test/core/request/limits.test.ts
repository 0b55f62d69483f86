import { setTimeout } from "node:timers/promises"
import t from "tap"
import { Limits, type LimitSettings } from "../../../core/request/limits.ts"
import { Problem } from "../../../core/http/problems.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { logInto } from "../../support/service.ts"

const settings: LimitSettings = { burst: 5, quota: 20, concurrent: 2 }

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return "let through"
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

t.test("Limits tells a burst from a used-up quota, and when to come back", async (t) => {
  const limits = new Limits(settings)
  for (let n = 0; n < 5; n++) await limits.charge("ann", "a")
  const burst = await limits.charge("ann", "a").catch((error: Problem) => error)
  t.match(burst, { code: "too_fast", status: 429, headers: { "retry-after": "1" } })
  t.match(burst, { headers: { ratelimit: '"burst";r=0;t=1' } })
  t.equal(await codeOf(limits.charge("ann", "b")), "let through", "families count apart")
  t.equal(await codeOf(limits.charge("bob", "a")), "let through", "accounts count apart")

  const slow = new Limits({ ...settings, burst: 1000 })
  for (let n = 0; n < 20; n++) await slow.charge("ann", "a")
  const quota = await slow.charge("ann", "a").catch((error: Problem) => error)
  t.match(quota, { code: "too_many_requests", headers: { "retry-after": /^3[56]\d\d$/ } })
})

t.test("Limits lets in again after the window, whatever was refused meanwhile", async (t) => {
  const limits = new Limits(settings)
  for (let n = 0; n < 50; n++) await codeOf(limits.charge("ann", "a"))
  await setTimeout(1050)
  const { settle } = await limits.charge("ann", "a") as Awaited<ReturnType<Limits["charge"]>>
  t.strictSame(await settle(200), {
    "ratelimit-policy": '"burst";q=5;w=1, "quota";q=20;w=3600',
    ratelimit: '"quota";r=14;t=3599, "burst";r=4;t=1',
  })
})

t.test("an unchanged answer costs a tenth", async (t) => {
  const limits = new Limits({ ...settings, burst: 1000 })
  let unchanged = 0
  while (
    await codeOf(limits.charge("ann", "a").then(({ settle }) => settle(304))) === "let through"
  ) {
    unchanged++
  }
  t.ok(unchanged >= 190 && unchanged <= 200, `${unchanged} of a quota of 20`)
})

t.test("Limits counts what runs for the account, and for the session where nobody owns it", async (t) => {
  const limits = new Limits(settings)
  const enter = async (session: string) => void running.push(limits.enter(session))
  const running: Disposable[] = []
  limits.setOwner("first", "ann")
  limits.setOwner("second", "ann")
  t.equal(await codeOf(enter("first")), "let through")
  t.equal(await codeOf(enter("second")), "let through")
  t.equal(await codeOf(enter("second")), "too_many_at_once")
  limits.setOwner("second", undefined)
  t.equal(await codeOf(enter("second")), "let through")
  t.equal(await codeOf(enter("first")), "too_many_at_once")
  for (const request of running) request[Symbol.dispose]()
  t.equal(await codeOf(enter("first")), "let through")
})

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3000)
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
    const { fetch } = await start({ burst: 3, quota: 100, concurrent: 4 })
    const get = await logInto(fetch, "calm")
    const answer = await get(`${path}?limit=1`)
    t.match(answer.headers.get("ratelimit-policy"), '"burst";q=3;w=1, "quota";q=100;w=3600')
    t.match(answer.headers.get("ratelimit"), /^"quota";r=99;t=3\d+, "burst";r=2;t=1$/)
    const answers = []
    for (let n = 0; n < 3; n++) answers.push(await get(`${path}?limit=1`))
    const last = answers.find(({ status }) => status === 429)
    t.ok(last)
    t.equal(last?.headers.get("retry-after"), "1")
    t.match(await last?.json(), { code: "too_fast" })
  })

  await t.test("an unchanged answer, 304, costs a tenth", async (t) => {
    const { fetch } = await start({ burst: 1000, quota: 100, concurrent: 4 })
    let tag = ""
    const get = await logInto((request) => {
      if (tag) request.headers.set("if-none-match", tag)
      return fetch(request)
    }, "calm")
    const left = ({ headers }: Response) =>
      Number(/"quota";r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
    const first = await get(`${path}?limit=1`)
    t.equal(left(first), 99)
    tag = first.headers.get("etag") ?? ""
    let last = first
    for (let n = 0; n < 10; n++) {
      last = await get(`${path}?limit=1`)
      t.equal(last.status, 304)
    }
    t.equal(left(last), 98)
  })

  await t.test("one account's flood leaves another's requests alone", async (t) => {
    const { fetch } = await start({ burst: 100_000, quota: 1_000_000, concurrent: 2 })
    const [flood, calm] = [await logInto(fetch, "flood"), await logInto(fetch, "calm")]
    await Promise.all([flood("/session"), calm("/session")])
    const asked = Array.from({ length: 200 }, () => flood(path))
    const mine = await calm(`${path}?limit=1`)
    t.equal(mine.status, 200)
    let ended = 0
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    for (const status of statuses) if (status === 200) ended++
    t.ok(ended <= 4, `${ended} of 200 were worked on, the others refused at once`)
    t.equal(statuses.filter((status) => status === 429).length, 200 - ended)
  })
})
