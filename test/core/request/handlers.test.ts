import { mock } from "node:test"
import t from "tap"
import type { LogIn } from "../../../core/access/log-in.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { type Peer, toResponse } from "../../../core/http/answer.ts"
import type { OpenExchange } from "../../../core/request/exchange.ts"
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
type Handle = (context: HandlerContext<HostPart>) => Response | Promise<Response>

/** Runs a handler that declares `needs`. Returns what is noted of the request, and the accounts whose use is. */
async function run(
  handle: Handle,
  {
    needs = [],
    attempt = nothing,
    timeLimit = 10,
    whenGone,
    method = "GET",
    body,
    isOther = false,
  }: {
    readonly needs?: readonly HostPart[]
    readonly attempt?: LogIn["attempt"]
    readonly whenGone?: Peer["whenGone"] | undefined
    readonly timeLimit?: number
    readonly method?: "GET" | "HEAD" | "POST"
    readonly body?: ReadableStream
    /** True to authorize another route than the one that is mounted. */
    readonly isOther?: boolean
  } = {},
) {
  const used: string[] = []
  const route: MountedRoute & HandlerRoute = {
    ...{ kind: "handler", path: "/x/:id", needs, handle, auth: { kind: "anyone" } },
    method: method === "HEAD" ? "GET" : method,
    ...{ plugin: "a-plugin", prefix: "/x", pattern: compilePath("/x/:id") },
  }
  const handlers = new Handlers([route], {
    sessions: nothing,
    logIn: { attempt } as LogIn,
    activity: { recordLogIn: (id: string) => void used.push(id) } as never,
    assertRecording: () => {},
    info: { status: nothing, readiness: nothing, catalogue: nothing, internals: nothing },
    limits: { left: nothing },
    timeLimit,
  })
  const asked = receive(
    new Request(
      "http://localhost/x/%C3%A9",
      { method, body: body ?? null, duplex: "half" } as RequestInit,
    ),
    { address: "192.0.2.1", ...whenGone && { whenGone } },
  )
  const exchange: OpenExchange = { asked, decided: {} }
  const authorized = isOther ? { ...route } : route
  const answering = { route: authorized, exchange, params: { id: "é" }, session: undefined }
  const answer = await handlers.answer(answering)
  return { answer, ...exchange, used }
}

t.test("Handlers gives a handler Hattip's context with decoded parameters, the parts of the host that it declares, and no environment", async (t) => {
  const seen: object[] = []
  const handle: Handle = (context) => {
    const { url: { pathname }, method, ip, params, session, locals, host } = context
    const parts = { host: Object.keys(host), path: context.env("PATH") }
    seen.push({ pathname, method, ip, params, session, locals, ...parts })
    return new Response(null)
  }
  const expected = {
    ...{ pathname: "/x/%C3%A9", ip: "192.0.2.1", params: { id: "é" } },
    ...{ session: undefined, locals: {}, path: undefined },
  }
  await run(handle)
  t.strictSame(seen.pop(), { ...expected, method: "GET", host: [] })
  await run(handle, { method: "HEAD", needs: ["status", "readiness"] })
  t.strictSame(seen.pop(), { ...expected, method: "HEAD", host: ["status", "readiness"] })
})

const error = new Error("out of order")
const failing: Record<string, [Handle, options: Parameters<typeof run>[1], told: object]> = {
  "on another route than the one that is authorized": [
    () => t.fail("it runs") as never,
    { isOther: true },
    { message: "/x/:id is not authorized" },
  ],
  "with what a handler rejects with": [() => Promise.reject(error), {}, error],
  "with what is no response, and names the plugin": [
    () => undefined as never,
    {},
    { name: "TypeError", message: "plugin a-plugin gave no response" },
  ],
  "with 503 once a handler has taken its seconds": [
    () => new Promise<never>(() => {}),
    { timeLimit: 0.1 },
    { code: "unavailable", headers: { "retry-after": "5" } },
  ],
}
for (const [name, [handle, options, told]] of Object.entries(failing)) {
  t.test(`Handlers rejects ${name}`, (t) => t.rejects(run(handle, options), told as Error))
}

/** Runs a handler that logs in. */
const logIn = (attempt: LogIn["attempt"], whenGone?: Peer["whenGone"]) =>
  run(async ({ host }) => {
    await host.sessions.open(" Ann@Example.org", "a password")
    return new Response(null)
  }, { needs: ["sessions"], attempt, whenGone })

t.test("Handlers tells of a log-in only the names of accounts, and of a use only with the right password", async (t) => {
  const account = { id: "an id", username: "ann", role: "partner", password: "", epoch: 0 } as const
  const opened = { id: "s", cookie: "a cookie", token: "a token", expires: 1 }
  t.match(await logIn(async () => ({ opened, account })), {
    asked: { action: "log-in" },
    decided: { username: "ann" },
    used: ["an id"],
  })
  t.match(await logIn(async () => ({ opened: undefined, account })), {
    decided: { username: "ann" },
    used: [],
  })
  t.match(await logIn(async () => ({ opened: undefined, account: undefined })), {
    decided: { username: undefined },
    used: [],
  })
})

t.test("Handlers turns the failures of a log-in into answers, and stops one whose client has gone", async (t) => {
  const lost = Object.assign(new Error("gone"), { code: "ECONNRESET" })
  await t.rejects(logIn(() => Promise.reject(lost)), Unavailable)
  let leave = (_sent: boolean) => {}
  const attempt: LogIn["attempt"] = (_, signal) => {
    const { promise, reject } = Promise.withResolvers<never>()
    signal?.addEventListener("abort", () => reject(signal.reason))
    leave(false)
    return promise
  }
  const told = { code: "too_many_log_ins", status: 429 }
  await t.rejects(logIn(attempt, (listener) => (leave = listener)), told)
})

t.test("Handlers counts the seconds of a handler from when the body has arrived", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] })
  t.teardown(() => mock.timers.reset())
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async pull(stream) {
      await arrived
      stream.enqueue(new TextEncoder().encode("late"))
      stream.close()
    },
  })
  const answering = run(async ({ request }) => new Response(await request.text()), {
    ...{ method: "POST", body, timeLimit: 1 },
  })
  mock.timers.tick(2000)
  arrive()
  t.equal(await toResponse((await answering).answer).text(), "late")
})
