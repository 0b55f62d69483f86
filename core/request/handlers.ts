import type { Activity } from "../access/activity.ts"
import type { Author } from "../access/changes.ts"
import { type LogIn, TooManyLogIns } from "../access/log-in.ts"
import type { Session, Sessions } from "../access/sessions.ts"
import { translateError } from "../data/unavailable.ts"
import { type Answer, fromResponse } from "../http/answer.ts"
import { Problem, problems, retryLater } from "../http/problems.ts"
import type {
  HandlerRoute,
  Host,
  MountedRoute,
  Readiness,
  SessionControl,
  Status,
} from "../routes/contract.ts"
import type { Operations } from "../routes/operations.ts"
import type { FindCatalogue } from "./catalogue.ts"
import type { IncomingRequest } from "./incoming-request.ts"

/** Information about the service, for handlers. */
export interface ServiceInfo {
  readonly status: () => Status
  readonly readiness: () => Promise<Readiness>
  /** Looks up the routes that a caller may use. */
  readonly catalogue: FindCatalogue
  /** Returns what operators see and change, for a request of one. */
  readonly operations: (by: Author) => Operations
}

/** A request for a handler, authorized. */
interface HandlerRequest {
  readonly route: MountedRoute & HandlerRoute
  readonly incoming: IncomingRequest
  readonly params: Readonly<Record<string, string>>
  /** Undefined for a caller without one: the route is for anyone. */
  readonly session: Session | undefined
  /** Called at each log-in attempt, and again with the account's name if the account exists. */
  readonly onLogIn: (username: string | undefined) => void
  /** Called when the session has ended, as the caller asked. */
  readonly onLogOut: () => void
}

interface HandlersOptions {
  readonly sessions: Sessions
  readonly logIn: LogIn
  readonly activity: Activity
  /** Throws a 503 while log-ins have to be recorded, and cannot. */
  readonly assertRecording: () => void
  readonly info: ServiceInfo
  /** Seconds that a handler may take. */
  readonly timeLimit: number
}

/** Runs the handlers of plugins. */
export class Handlers {
  readonly #options: HandlersOptions

  constructor(options: HandlersOptions) {
    this.#options = options
  }

  /**
   * Returns the answer of a handler.
   *
   * @throws whatever the handler throws; {Problem} 503 after the time limit. The handler's own work
   *   goes on then, and its result is ignored; but a log-in stops then, and if the client has gone.
   */
  async answer(request: HandlerRequest): Promise<Answer> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const problem = new Problem("unavailable", "The response took too long.", retryLater)
      stop.abort(problem)
      reject(problem)
    }, this.#options.timeLimit * 1000)
    // Nobody receives this error. It counts as a refusal, not as a failure of the service.
    request.incoming.whenGone?.(() => stop.abort(new TooManyLogIns(1)))
    try {
      return await Promise.race([this.#run(request, stop.signal), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #run(handlerRequest: HandlerRequest, signal: AbortSignal): Promise<Answer> {
    const { route, params, session, incoming: { request } } = handlerRequest
    const whole = this.#hostFor(handlerRequest, signal)
    const needed = route.needs.map((name) => [name, whole[name]] as const)
    const host = Object.fromEntries(needed) as unknown as Host
    const response = await route.handle({ request, params, session, host })
    if (!response?.headers) throw new TypeError(`plugin ${route.plugin} gave no response`)
    return await fromResponse(response)
  }

  /** Returns all that a handler can declare a need for. */
  #hostFor(request: HandlerRequest, signal: AbortSignal): Host {
    const { status, readiness, catalogue, operations } = this.#options.info
    const { session, incoming: { id, address, url: { origin } } } = request
    return {
      // Made only for routes that need it: mounting has checked that they are for operators.
      get operations() {
        if (session?.account.role !== "operator") {
          throw new TypeError("operations are for operators")
        }
        return operations({ actor: session.account.username, address, request: id })
      },
      sessions: this.#sessionControl(request, signal),
      status,
      readiness,
      catalogue: () => catalogue({ session, address, origin }),
    }
  }

  /** Logs in and out on behalf of one request. */
  #sessionControl(
    { incoming: { address }, onLogIn, onLogOut }: HandlerRequest,
    signal: AbortSignal,
  ): SessionControl {
    const { sessions, logIn, activity, assertRecording } = this.#options
    const open: SessionControl["open"] = async (username, password) => {
      assertRecording()
      onLogIn(undefined)
      try {
        const { opened, account } = await logIn.attempt({ username, password, address }, signal)
        // Anyone may type anything as a name: only names that exist are logged.
        if (account) onLogIn(account.username)
        if (opened && account) activity.recordLogIn(account.id)
        return opened
      } catch (error) {
        if (!(error instanceof TooManyLogIns)) throw translateError(error)
        if (error.username !== undefined) onLogIn(error.username)
        throw tooMany(error)
      }
    }
    return {
      open,
      begin: async (username, password) => (await open(username, password))?.cookie,
      async end(session) {
        try {
          const cookie = await sessions.end(session)
          onLogOut()
          return cookie
        } catch (error) {
          throw translateError(error)
        }
      },
    }
  }
}

function tooMany({ retryAfter }: TooManyLogIns): Problem {
  return new Problem("too_many_log_ins", problems.too_many_log_ins.detail, {
    headers: { "retry-after": String(retryAfter) },
  })
}
