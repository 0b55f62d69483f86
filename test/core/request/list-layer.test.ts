import t, { type Test } from "tap"
import { Activity } from "../../../core/access/activity.ts"
import { Gate } from "../../../core/access/admission.ts"
import { LogIn } from "../../../core/access/log-in.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import { ChangeLog } from "../../../core/change-log/change-log.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { EntityTags } from "../../../core/http/representation.ts"
import { Networks } from "../../../core/networks.ts"
import { answer } from "../../../core/request/answer.ts"
import type { ListRequest } from "../../../core/request/authorize.ts"
import type { Findings } from "../../../core/request/facts.ts"
import { receive } from "../../../core/request/incoming-request.ts"
import { Limits } from "../../../core/request/limits.ts"
import type { BegunLayer, ListLayer } from "../../../core/request/list-layer.ts"
import { Lists } from "../../../core/request/listing/answer-list.ts"
import { Cursors } from "../../../core/request/listing/cursor.ts"
import { PageCache } from "../../../core/request/listing/page-cache.ts"
import { Walks } from "../../../core/request/listing/walks.ts"
import { oneNode } from "../../../core/request/nodes.ts"
import { RouteTable } from "../../../core/request/route-table.ts"
import { testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { copiedUrl, type Engine, onEmbedded, openFor } from "../../support/database.ts"
import { recorded } from "../../support/recorded.ts"

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const failUnused = () => {
  throw new TypeError("it is not used")
}

await onEmbedded(t, async (t, engine) => {
  await t.test("layers answer around each other, outermost first", async (t) => {
    const { ask } = await parts(t, engine)
    const calls: string[] = []
    const named = (name: string): ListLayer => ({
      begin: () => {
        calls.push(`${name} begins`)
        return {
          async answer(_, next) {
            calls.push(name)
            const answered = await next()
            return { ...answered, headers: { ...answered.headers, [name]: "was here" } }
          },
        }
      },
    })
    const passing = { begin: () => undefined }
    const { headers, status } = await ask([named("outer"), passing, named("inner")])
    t.strictSame(calls, ["outer begins", "inner begins", "outer", "inner"])
    t.match({ headers, status }, { status: 200, headers: { outer: /./, inner: /./ } })
  })

  await t.test("without layers, preferences and media types are not read", async (t) => {
    const { ask } = await parts(t, engine)
    const read: string[] = []
    const { status, headers } = await ask([], {
      headers: { prefer: "wait=1", accept: "text/csv" },
      onRead: (name) => void read.push(name),
    })
    t.match({ status, headers }, { status: 200, headers: { "content-type": /json/ } })
    t.notOk(headers["preference-applied"])
    t.notOk(read.includes("prefer"))
    t.notOk(read.includes("accept"))
    t.ok(read.includes("if-none-match"), "it is noticed what is read")
  })

  await t.test("a layer says what the admission has to look up", async (t) => {
    const { ask, event } = await parts(t, engine)
    const questions: ListRequest["question"][] = []
    const asking = (needsDeletions: boolean): ListLayer => ({
      begin: () => ({
        needsDeletions,
        answer: (turn, next) =>
          turn.read(({ question }) => {
            questions.push(question)
            return next()
          }),
      }),
    })
    await ask([asking(false)])
    await ask([asking(false), asking(true)])
    t.match(questions, [{ eventId: event, deletions: undefined }, { deletions: ["guests"] }])
  })

  await t.test("a layer reads as of the admission once, and then from another admission on", async (t) => {
    const { ask, revoke } = await parts(t, engine)
    const seen: ListRequest["admission"][] = []
    const twice: BegunLayer = {
      async answer(turn, next) {
        const look = () => turn.read(({ admission }) => Promise.resolve(void seen.push(admission)))
        await look()
        await look()
        t.not(seen[0], seen[1])
        await revoke()
        await t.rejects(look(), { code: "event_not_found" })
        t.equal(seen.length, 2, "nothing is read without rights")
        return await next()
      },
    }
    await t.rejects(ask([{ begin: () => twice }]), { code: "event_not_found" })
  })

  await t.test("a layer knows the limits, and may leave the place among the running requests", async (t) => {
    const { ask, limits, account } = await parts(t, engine)
    const places: (string | number)[] = []
    const count = () => {
      try {
        using _ = limits.enter({ id: account })
        places.push("free")
      } catch {
        places.push("taken")
      }
    }
    const layer: BegunLayer = {
      answer(turn, next) {
        places.push(turn.limits.waiting)
        count()
        turn.leave()
        count()
        return next()
      },
    }
    t.equal((await ask([{ begin: () => layer }])).status, 200)
    count()
    t.strictSame(places, [7, "taken", "free", "free"])
  })
})

/** Puts the parts of a service together by hand. `ask` sends a request for the guests of an event through layers. */
async function parts(t: Test, engine: Engine) {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  const account = await build.account("partner")
  await build.grant("partner", { event })
  const changes = await ChangeLog.open(database, { log, isLogged: true, every: 1e9 })
  const activity = recorded({ log }, (recorders) => new Activity(database, recorders))
  t.teardown(() => Promise.all([changes.close(), activity.close()]))
  const { routes, polling } = await testConfig(url)
  const secrets = ["a secret of the tests, 32 characters and more"]
  const sessions = new Sessions(database, {
    ...{ secrets, lifetime: 60, cookie: "session", secure: false },
  })
  const logIn = new LogIn(database, sessions, { secret: secrets[0] ?? "" })
  const { opened } = await logIn.attempt({ username: "partner", password, address: "" })
  const limits = new Limits({ burst: 1000, quota: 1000, concurrent: 1, waiting: 7 })
  const all = {
    routes: new RouteTable(routes, []),
    sessions,
    gate: new Gate(),
    limits,
    near: new Networks([]),
    activity,
    assertRecording: () => {},
    nodes: oneNode(database, changes),
    lists: new Lists(
      new PageCache({ tags: new EntityTags(secrets), bytes: 0 }),
      new Walks(new Cursors(secrets), { ...polling, accounts: {} }),
    ),
    handlers: { answer: failUnused } as never,
  }
  const ask = (
    layers: readonly ListLayer[],
    { headers = {}, onRead = () => {} }: {
      readonly headers?: Readonly<Record<string, string>>
      readonly onRead?: (name: string) => void
    } = {},
  ) => {
    const request = new Request(`http://localhost/connector-b/v1/events/${event}/guests`, {
      headers: { ...headers, authorization: `Bearer ${opened?.token}` },
    })
    for (const method of ["get", "has"] as const) {
      const original = request.headers[method].bind(request.headers)
      Object.assign(request.headers, {
        [method](name: string) {
          onRead(name)
          return original(name)
        },
      })
    }
    const incoming = receive(request, { address: "192.0.2.1" }, { keepLaps: false })
    const findings: Findings = { incoming }
    return answer(findings, { ...all, layers })
  }
  const revoke = async () => {
    await database.writer.deleteFrom("access_grant").where("account_id", "=", account).execute()
  }
  return { ask, revoke, event, account, limits }
}
