import { setTimeout } from "node:timers/promises"
import t from "tap"
import type { LogIn } from "../../../core/access/log-in.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import type { Peer } from "../../../core/http/answer.ts"
import type { Findings } from "../../../core/request/facts.ts"
import { Handlers } from "../../../core/request/handlers.ts"
import { receive } from "../../../core/request/incoming-request.ts"
import type {
  HandlerContext,
  HandlerRoute,
  HostPart,
  MountedRoute,
} from "../../../core/routes/contract.ts"
import { compilePath } from "../../../core/routes/path.ts"

const nothing = {} as never

/** Runs a handler that declares `needs`, and returns the names of its log-ins beside the answer. */
async function run(
  handle: (context: HandlerContext<HostPart>) => Response | Promise<Response>,
  { needs = [], logIn = nothing, timeLimit = 10, whenGone, method = "GET", isOther = false }: {
    readonly needs?: readonly HostPart[]
    readonly logIn?: Pick<LogIn, "attempt">
    readonly whenGone?: Peer["whenGone"] | undefined
    readonly timeLimit?: number
    readonly method?: "GET" | "HEAD"
    /** True to authorize another route than the one that is mounted. */
    readonly isOther?: boolean
  } = {},
) {
  const used: string[] = []
  const names: (string | undefined)[] = []
  const route: MountedRoute & HandlerRoute = {
    kind: "handler",
    method: "GET",
    path: "/x/:id",
    ...{ needs, handle },
    auth: { kind: "anyone" },
    ...{ plugin: "a-plugin", prefix: "/x", pattern: compilePath("/x/:id") },
  }
  const handlers = new Handlers([route], {
    sessions: nothing,
    logIn: logIn as LogIn,
    activity: { recordLogIn: (id: string) => void used.push(id) } as never,
    assertRecording: () => {},
    info: { status: nothing, readiness: nothing, catalogue: nothing, inside: nothing },
    limits: { left: nothing },
    timeLimit,
  })
  const incoming = receive(
    new Request("http://localhost/x/%C3%A9", { method }),
    { address: "192.0.2.1", ...whenGone && { whenGone } },
    { keepLaps: false },
  )
  const findings: Findings = {
    incoming,
    set logIn({ username }: { readonly username: string | undefined }) {
      names.push(username)
    },
  }
  const answering = handlers.answer({
    route: isOther ? { ...route } : route,
    findings,
    params: { id: "é" },
    session: undefined,
  })
  return { answer: await answering, names, used }
}

t.test("Handlers gives a handler the parts of the host that it declares, and no others", async (t) => {
  let given: string[] = []
  const handle = ({ host }: HandlerContext<HostPart>) => {
    given = Object.keys(host)
    return new Response(null)
  }
  await run(handle)
  t.strictSame(given, [])
  await run(handle, { needs: ["status", "readiness"] })
  t.strictSame(given, ["status", "readiness"])
})

t.test("Handlers gives a handler Hattip's context, with decoded parameters and no environment", async (t) => {
  const seen: object[] = []
  const handle = (context: HandlerContext<HostPart>) => {
    const { url: { pathname }, method, ip, params, session, locals } = context
    seen.push({ pathname, method, ip, params, session, locals, path: context.env("PATH") })
    return new Response(null)
  }
  for (const method of ["GET", "HEAD"] as const) {
    await run(handle, { method })
    t.strictSame(seen.pop(), {
      ...{ pathname: "/x/%C3%A9", method, ip: "192.0.2.1", params: { id: "é" } },
      ...{ session: undefined, locals: {}, path: undefined },
    })
  }
})

t.test("Handlers runs no route but the one that is authorized", async (t) => {
  let runs = 0
  const handle = () => {
    runs++
    return new Response(null)
  }
  await t.rejects(run(handle, { isOther: true }), { message: "/x/:id is not authorized" })
  t.equal(runs, 0)
})

t.test("Handlers rejects with what a handler throws", async (t) => {
  const error = new Error("out of order")
  await t.rejects(run(() => Promise.reject(error)), error)
  await t.rejects(
    run(() => {
      throw error
    }),
    error,
  )
})

t.test("Handlers answers 503 once a handler has taken its seconds", async (t) => {
  const order: string[] = []
  const late = setTimeout(400, undefined, { ref: false }).then(() => order.push("400 ms"))
  const forever = new Promise<never>(() => {})
  const error = await run(() => forever, { timeLimit: 0.1 }).catch((error: unknown) => error)
  order.push("the limit of 100 ms")
  await Promise.race([late, setTimeout(500)])
  t.match(error, { code: "unavailable", headers: { "retry-after": "5" } })
  t.strictSame(order, ["the limit of 100 ms", "400 ms"])
})

t.test("Handlers rejects what is no response, and names the plugin", async (t) => {
  await t.rejects(run(() => undefined as never), {
    name: "TypeError",
    message: "plugin a-plugin gave no response",
  })
})

t.test("Handlers tells of a log-in only the names of accounts, and of a use only with the right password", async (t) => {
  const logInAs = (outcome: Awaited<ReturnType<LogIn["attempt"]>>) =>
    run(async ({ host }) => {
      await host.sessions.begin(" Ann@Example.org", "a password")
      return new Response(null)
    }, { needs: ["sessions"], logIn: { attempt: () => Promise.resolve(outcome) } })
  const account = { id: "an id", username: "ann", role: "partner", password: "", epoch: 0 } as const
  const [right, wrong, unknown] = [
    await logInAs({
      opened: { id: "s", cookie: "a cookie", token: "a token", expires: 1 },
      account,
    }),
    await logInAs({ opened: undefined, account }),
    await logInAs({ opened: undefined, account: undefined }),
  ]
  t.match(right, { names: [undefined, "ann"], used: ["an id"] })
  t.match(wrong, { names: [undefined, "ann"], used: [] })
  t.match(unknown, { names: [undefined], used: [] })
  t.equal(unknown.names.length, 1)
})

t.test("Handlers turns the failures of a log-in into answers", async (t) => {
  const logIn = {
    attempt: () => Promise.reject(Object.assign(new Error("gone"), { code: "ECONNRESET" })),
  }
  const attempt = run(async ({ host }) => {
    await host.sessions.begin("ann", "a password")
    return new Response(null)
  }, { needs: ["sessions"], logIn })
  await t.rejects(attempt, Unavailable)
})

t.test("Handlers stops a log-in whose client has gone", async (t) => {
  let leave = (_sent: boolean) => {}
  const logIn: Pick<LogIn, "attempt"> = {
    attempt: (_, signal) => {
      const { promise, reject } = Promise.withResolvers<never>()
      signal?.addEventListener("abort", () => reject(signal.reason))
      leave(false)
      return promise
    },
  }
  const attempt = run(async ({ host }) => {
    await host.sessions.begin("ann", "a password")
    return new Response(null)
  }, { needs: ["sessions"], logIn, whenGone: (listener) => (leave = listener) })
  await t.rejects(attempt, { code: "too_many_log_ins", status: 429 })
})
