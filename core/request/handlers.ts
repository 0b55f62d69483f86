import type { HattipHandler } from "@hattip/core"
import { createRouter, type RouterContext } from "@hattip/router"
import type { Activity } from "../access/activity.ts"
import type { Author } from "../access/audit-changes.ts"
import { type LogIn, TooManyLogIns } from "../access/log-in.ts"
import type { Session, Sessions } from "../access/sessions.ts"
import { translateError } from "../data/unavailable.ts"
import { type Answer, fromResponse } from "../http/answer.ts"
import { receiveBody } from "../http/body.ts"
import { Problem, retryLater, usualProblem } from "../http/problems.ts"
import type {
  HandlerHost,
  HandlerRoute,
  MountedRoute,
  Readiness,
  SessionControl,
  Status,
} from "../routes/contract.ts"
import { isInternal, type ServiceInternals } from "../routes/internals.ts"
import type { FindCatalogue } from "./catalogue.ts"
import type { OpenExchange } from "./exchange.ts"
import type { Limits } from "./limits.ts"
import { familyOf } from "./route-table.ts"

/** Information about the service, for handlers. */
export interface ServiceInfo {
  readonly status: () => Status
  readonly readiness: () => Promise<Readiness>
  /** Looks up the routes that a caller may use. */
  readonly catalogue: FindCatalogue
  /** Returns the service from inside, for the caller of a request. */
  readonly internals: (by: Author) => Omit<ServiceInternals, "left">
}

interface HandlerRequest {
  readonly route: MountedRoute & HandlerRoute
  readonly params: Readonly<Record<string, string>>
  /** Undefined for a caller without one: the route is for anyone. */
  readonly session: Session | undefined
  /** Log-ins and log-outs are noted in it. */
  readonly exchange: OpenExchange
}

interface HandlersOptions {
  readonly sessions: Sessions
  readonly logIn: LogIn
  readonly activity: Activity
  /** Throws a 503 while log-ins have to be recorded, and cannot; undefined if they need not be. */
  readonly assertRecording: (() => void) | undefined
  readonly info: ServiceInfo
  readonly limits: Pick<Limits, "left">
  /** Seconds that a handler may take. */
  readonly timeLimit: number
}

/** What a handler gets in addition to Hattip's context. */
interface HandlerPlatform extends Pick<HandlerRequest, "route" | "params" | "session"> {
  readonly host: HandlerHost
  readonly internals?: ServiceInternals
}

/** Runs the handlers of plugins: the routes of one Hattip router. */
export class Handlers {
  readonly #options: HandlersOptions
  readonly #handle: HattipHandler<HandlerPlatform>

  /** `routes` are tried in their order, which is that of `RouteTable`. */
  constructor(routes: readonly MountedRoute[], options: HandlersOptions) {
    this.#options = options
    this.#handle = routerOf(routes).buildHandler()
  }

  /**
   * Returns the answer of a handler, which begins when the body has arrived.
   * @throws {Problem} as `receiveBody`; 503 after the time limit. The handler's work then continues, and its result is
   *   ignored; but a log-in stops, as it does if the client has gone. @throws what the handler throws.
   */
  async answer(request: HandlerRequest): Promise<Answer> {
    const { exchange: { asked }, route } = request
    asked.request = await receiveBody(asked.request, { longest: route.longestBody })
    const { promise: late, reject } = Promise.withResolvers<never>()
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const problem = new Problem("unavailable", "The response took too long.", retryLater)
      stop.abort(problem)
      reject(problem)
    }, this.#options.timeLimit * 1000)
    // Nobody receives this error, which counts as a refusal, not as a failure of the service.
    asked.whenGone?.(() => stop.abort(new TooManyLogIns(1)))
    try {
      return await Promise.race([this.#run(request, stop.signal), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #run(handlerRequest: HandlerRequest, signal: AbortSignal): Promise<Answer> {
    const { route, params, session, exchange } = handlerRequest
    const { request, address, url: { origin } } = exchange.asked
    const { status, readiness, catalogue } = this.#options.info
    const whole: HandlerHost = {
      sessions: this.#sessionControl(exchange, signal),
      status,
      readiness,
      catalogue: () => catalogue({ session, address, origin }),
    }
    const needed = Object.fromEntries(route.needs.map((name) => [name, whole[name]]))
    const internals = isInternal(route) ? { internals: this.#internalsFor(handlerRequest) } : {}
    const platform = {
      route,
      params,
      session,
      host: needed as unknown as HandlerHost,
      ...internals,
    }
    return await fromResponse(
      await this.#handle({ request, ip: address, platform, ...nothingElse }),
    )
  }

  /** Returns the internals for a handler that declares them. */
  #internalsFor(
    { session, exchange: { asked: { id, address } } }: HandlerRequest,
  ): ServiceInternals {
    if (!session) throw new TypeError("only callers with a session get internals")
    const { info, limits } = this.#options
    const { account } = session
    const left: ServiceInternals["left"] = (route) => limits.left(account, familyOf(route))
    return { ...info.internals({ actor: account.username, address, request: id }), left }
  }

  /** Logs in and out on behalf of one request. */
  #sessionControl({ asked, decided }: OpenExchange, signal: AbortSignal): SessionControl {
    const { address } = asked
    const { sessions, logIn, activity, assertRecording } = this.#options
    const open: SessionControl["open"] = async (username, password, limits) => {
      if (username.length > longestUsername || password.length > longestPassword) return undefined
      assertRecording?.()
      asked.action = "log-in"
      try {
        const attempt = { username, password, address, limits }
        const { opened, account } = await logIn.attempt(attempt, signal)
        // Anyone may type anything as a name: only names that exist are logged.
        if (account) decided.username = account.username
        if (opened && account) activity.recordLogIn(account.id)
        return opened
      } catch (error) {
        if (!(error instanceof TooManyLogIns)) throw translateError(error)
        if (error.username !== undefined) decided.username = error.username
        const headers = { "retry-after": String(error.retryAfter) }
        throw usualProblem("too_many_log_ins", { headers })
      }
    }
    return {
      open,
      async end(session) {
        try {
          const cookie = await sessions.end(session)
          asked.action = "log-out"
          return cookie
        } catch (error) {
          throw translateError(error)
        }
      },
    }
  }
}

/** The maximum lengths of the name and the password of a log-in, in characters. */
const [longestUsername, longestPassword] = [200, 1000]

/** Handlers get no environment, and nothing runs after them. */
const nothingElse = { env: () => undefined, passThrough() {}, waitUntil() {} }

function routerOf(routes: readonly MountedRoute[]) {
  const router = createRouter<HandlerPlatform>()
  router.use(rethrowErrors)
  for (const route of routes) {
    if (route.kind !== "handler") continue
    const { method, pattern: { expression } } = route
    const handle = run.bind(undefined, route)
    const name = method.toLowerCase() as Lowercase<typeof method>
    router[name](expression, handle)
    if (name === "get") router.head(expression, handle)
  }
  return router
}

/** The router would answer an error itself, and only print it. */
function rethrowErrors(context: RouterContext<unknown, HandlerPlatform>): void {
  context.handleError = (error) => {
    throw error
  }
}

async function run(
  route: MountedRoute & HandlerRoute,
  context: RouterContext<unknown, HandlerPlatform>,
): Promise<Response> {
  const { route: authorized, ...brought } = context.platform
  if (authorized !== route) throw new TypeError(`${route.pattern.text} is not authorized`)
  const response = await route.handle(Object.assign(context, brought))
  // Without one, the router would continue.
  if (!response?.headers) throw new TypeError(`plugin ${route.plugin} gave no response`)
  return response
}
