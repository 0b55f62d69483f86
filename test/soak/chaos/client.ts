import { randomUUID } from "node:crypto"
import { password } from "../../support/builder.ts"
import { codeOf, type Get, type Reply } from "../../support/partner/reply.ts"
import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../support/random.ts"
import { type Observations, routeOf } from "./observations.ts"
import type { ServiceProcess } from "./service-process.ts"

/** Milliseconds after which a request counts as hanging: longer than `server.time_limit`. */
const patience = 45_000

/** Milliseconds until a failed request is repeated. */
const wait = 150

/** Where requests go: a process that serves. */
export type Target = Pick<ServiceProcess, "url" | "life"> & { readonly isServing?: boolean }

/** A request that was not answered as it should be. */
export interface Failure {
  readonly method: string
  /** The connection was refused or broke if there is none. */
  readonly status?: number
  /** The life of the process that it was sent to, and whether that took requests then. */
  readonly life: string
  readonly wasServing: boolean
  /** When it was sent, on the clock of `performance.now()`. */
  readonly sent: number
}

interface ClientOptions {
  readonly observations: Observations
  readonly random: Random
  /**
   * True for a failure that partners may meet at this moment: a broken connection, 503 or 401. By default, those are
   * broken connections and 503.
   */
  readonly allows?: (failure: Failure) => boolean
}

/** The request failed as it may while something is broken: repeat it later. */
export class NotNow extends Error {
  override readonly name = "NotNow"
}

interface RequestOptions {
  /** By default any service, as behind a load balancer. */
  readonly service?: Target
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  /** True for lists of events' records, which the audit log lists. */
  readonly isAudited?: boolean
}

/** Sends requests as partners do. Counts each outcome, and reports what no partner may see. */
export class Client {
  readonly #services: readonly Target[]
  readonly #observations: Observations
  readonly #random: Random
  readonly #allows: (failure: Failure) => boolean

  constructor(
    services: readonly Target[],
    { observations, random, allows = isUsual }: ClientOptions,
  ) {
    this.#services = services
    this.#observations = observations
    this.#random = random
    this.#allows = allows
  }

  /** Returns a 200, a 304, or a 410 that says to read everything again. @throws {NotNow} */
  async get(path: string, options: RequestOptions = {}): Promise<Reply> {
    const { headers = {} } = options
    return await this.#send(path, { method: "GET", headers }, [200, 304], options)
  }

  /** Returns how a partner with a cookie gets records. Notes each `Next-Since` that arrives first in a walk. */
  getFor(cookie: string, always: Readonly<Record<string, string>> = {}): Get {
    return async (path, headers = {}) => {
      const own = { ...always, ...headers }
      const reply = await this.get(path, { cookie, headers: own, isAudited: true })
      const nextSince = reply.headers.get("next-since")
      // That of a later page is not used.
      if (nextSince !== null && !path.includes("cursor=")) {
        const arrived = performance.now()
        this.#observations.bounds.push({ nextSince: Number(nextSince), arrived })
      }
      return reply
    }
  }

  /** Logs in and returns the cookie. @throws {NotNow} */
  async logIn(username: string, options: RequestOptions = {}): Promise<string> {
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    }
    const { headers } = await this.#send("/session", init, [204], options)
    return headers.getSetCookie()[0]?.split(";")[0] ?? ""
  }

  /** @throws {NotNow} */
  async logOut(options: RequestOptions): Promise<void> {
    await this.#send("/session", { method: "DELETE" }, [204], options)
  }

  async #send(
    path: string,
    init: RequestInit,
    expected: readonly number[],
    options: RequestOptions,
  ): Promise<Reply> {
    const { service = this.#random.pick(this.#services), cookie, isAudited } = options
    const headers = new Headers(init.headers)
    const requestId = randomUUID()
    headers.set("x-request-id", requestId)
    if (cookie) headers.set("cookie", cookie)
    const { life, isServing = true } = service
    const { method = "GET" } = init
    const sent = performance.now()
    const failure = { method, life, wasServing: isServing, sent }
    const reply = await receive(service.url + path, { ...init, headers }).catch((error) => {
      if ((error as Error).name === "TimeoutError") this.#violate(init, path, "hangs")
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (!this.#allows(failure)) this.#violate(init, path, `had no response: ${code ?? error}`)
      this.#observations.count(code === "ECONNREFUSED" ? "refused" : "broken")
      throw new NotNow("broken connection", { cause: error })
    })
    const { status } = reply
    this.#observations.count(String(status))
    if (expected.includes(status)) {
      const arrived = performance.now()
      if (isAudited) this.#observations.reads.push({ requestId, life, sent, arrived })
      return reply
    }
    const code = codeOf(reply)
    if (status === 410 && code === "resync_required") return reply
    const isUnavailable = status === 503 && code === "unavailable" &&
      Number(reply.headers.get("retry-after")) > 0
    const isKnown = isUnavailable || status === 401
    if (!isKnown || !this.#allows({ ...failure, status })) {
      this.#violate(init, path, `returned ${status} ${code || reply.text}`)
    }
    throw new NotNow(`${status} ${code}`)
  }

  #violate({ method }: RequestInit, path: string, what: string): void {
    this.#observations.violate(`${method} ${routeOf(path)} ${what}`)
  }
}

function isUsual({ status = 503 }: Failure): boolean {
  return status === 503
}

async function receive(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patience) })
  const { status, headers } = response
  return { status, headers, text: await response.text() }
}

/** Logs in who polls, as soon as that is possible. Returns their cookies, by name. */
export async function logInPartners(client: Client): Promise<Record<string, string>> {
  const cookies: Record<string, string> = {}
  for (const name of ["acme-export", "partner"]) {
    cookies[name] = await whenPossible(() => client.logIn(name))
  }
  return cookies
}

/** Repeats `work` as long as it fails as it may while something is broken. */
export async function whenPossible<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NotNow)) throw error
      await sleep(wait)
    }
  }
}
