import { Buffer } from "node:buffer"
import * as http from "node:http"
import process from "node:process"
import { misconfigured, PullError, ServiceProblem, TemporaryError, unusable } from "./errors.ts"
import type { State, SyncOptions } from "../pull.d.mts"
import { day, sleep } from "./sleep.ts"

/** The most bytes of a decompressed response, and the most values: a value takes much more memory than its bytes. */
const [mostBytes, mostValues] = [64 * 1024 * 1024, 5_000_000]

/** A response. */
export interface Result {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the bytes of NDJSON. */
  readonly body: unknown
}

/** Options for sending a request. */
export interface RequestOptions {
  readonly accept?: "application/json" | "application/x-ndjson"
  /** The tag of the last response. */
  readonly tag?: string | null
  /** Seconds that the service may hold the request until the tag changes. */
  readonly wait?: number | undefined
  readonly attempts?: number
}

/** Sends requests to one service only, and repeats those that fail for a while. */
export class Client {
  readonly #options: SyncOptions
  readonly #state: State
  readonly #origin: string
  /** Seconds that may still be spent waiting. */
  #patience: number

  constructor(options: SyncOptions, state: State) {
    this.#options = options
    this.#state = state
    this.#patience = options.patience ?? 300
    const { protocol, hostname, origin } = new URL(options.base)
    this.#origin = origin
    const isLoopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
    if (protocol === "http:" && !isLoopback && !options.insecure) {
      const advice = "credentials were not sent: take https, or --insecure"
      throw misconfigured(`${origin} is not encrypted, and ${advice}`)
    }
    if (state.session && state.session.user !== options.user) state.session = null
  }

  /** Reads a URL and parses the response. If `parse` throws a `TemporaryError`, the request is repeated. */
  async read<T>(url: string, parse: (result: Result) => T, asked: RequestOptions = {}): Promise<T> {
    const { accept = "application/json", tag = null, wait = 0, attempts = 8 } = asked
    let holds = tag === null ? 0 : Math.floor(wait)
    // A link may have another name of this service. The credentials belong to the name in `base`.
    const { pathname, search } = new URL(url, this.#origin)
    return await this.#repeat(attempts, async () => {
      const { token, cookie = this.#state.session?.cookie } = this.#options
      const response = this.#fetch(this.#origin + pathname + search, {
        accept,
        ...token ? { authorization: `Bearer ${token}` } : cookie ? { cookie } : {},
        ...tag !== null && { "if-none-match": tag },
        ...holds > 0 && { prefer: `wait=${holds}` },
      }, holds)
      // A proxy may not allow long requests: after a failure, repeat it without the wait.
      holds = 0
      const { status, headers, bytes } = await response
      if (status === 304 && tag !== null) return parse({ status, headers, body: undefined })
      const type = headers.get("content-type") ?? "?"
      if (status !== 200) throw new TemporaryError(`an unexpected response with status ${status}`)
      if (type.split(";")[0] !== accept) throw new TemporaryError(`a response of type ${type}`)
      try {
        const body = accept === "application/json" ? JSON.parse(String(bytes)) : bytes
        return parse({ status, headers, body })
      } catch (error) {
        if (error instanceof PullError) throw error
        throw new TemporaryError("a response that is cut off, or wrong")
      }
    })
  }

  /** Repeats what fails for a temporary reason. Logs in if necessary, at most once. */
  async #repeat<T>(attempts: number, work: () => Promise<T>): Promise<T> {
    let hasLoggedIn = false
    for (let attempt = 1;; attempt++) {
      try {
        return await work()
      } catch (error) {
        const needsLogIn = error instanceof ServiceProblem && error.code === "unauthenticated"
        if (needsLogIn && !hasLoggedIn) {
          hasLoggedIn = true
          await this.#repeat(attempts, () => this.#logIn())
          continue
        }
        const failure = needsLogIn ? new TemporaryError("the new session is refused") : error
        if (!(failure instanceof TemporaryError)) throw failure
        const backoff = Math.min(30, 2 ** attempt / 4) * (0.5 + Math.random() / 2)
        const seconds = failure.after ?? backoff
        if (attempt >= attempts || seconds > this.#patience) throw failure
        this.#patience -= seconds
        await sleep(seconds, this.#options.signal)
      }
    }
  }

  async #logIn(): Promise<void> {
    const { user, password: secret, token, cookie } = this.#options
    if (token || cookie) throw misconfigured("the token or cookie is not valid, or no longer valid")
    if (!user || !secret) {
      const wanted = "set EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN, or use --cookies"
      throw misconfigured(`there are no credentials: ${wanted}`)
    }
    this.#state.session = null
    const body = JSON.stringify({ username: user, password: secret })
    const sent = { "content-type": "application/json" }
    const { status, headers } = await this.#fetch(`${this.#origin}/session`, sent, 0, body)
    const [set] = headers.getSetCookie()
    if (status !== 204 || !set) throw new TemporaryError("a log-in without a cookie")
    this.#state.session = { user, cookie: set.split(";")[0] as string }
  }

  /** Sends one request. @throws {TemporaryError} if the response is not from the service. */
  async #fetch(url: string, headers: Record<string, string>, holds: number, body?: string) {
    const { signal, timeout = 60, onRequest } = this.#options
    onRequest?.()
    const late = AbortSignal.timeout(Math.min(timeout + holds, day) * 1000)
    try {
      const response = await fetch(url, {
        ...body !== undefined && { method: "POST", body },
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      const bytes = await readBytes(response)
      if (response.status >= 400) throw refusalOf(response, bytes)
      const location = response.headers.get("location")
      if (!location) return { status: response.status, headers: response.headers, bytes }
      const advice = "which was not followed: is --base right?"
      throw new TemporaryError(`a redirect to ${new URL(location, url).origin}, ${advice}`)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof PullError) throw error
      if (late.aborted) throw new TemporaryError("no response in time")
      const { message, cause } = error as Error
      const reason = cause instanceof Error && cause.message || message
      throw new TemporaryError(`no response: ${reason}${proxyHint()}`)
    }
  }
}

/** Returns advice about a proxy, if there is one and this Node.js is too old to use it by itself. */
function proxyHint(): string {
  const isSet = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))
  const isFollowed = http.setGlobalProxyFromEnv || process.env["NODE_USE_ENV_PROXY"] ||
    process.versions["bun"] || process.versions["deno"]
  const hint = "; for your proxy, set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24.0)"
  return isSet && !isFollowed ? hint : ""
}

/** Returns the decompressed bytes of a body. @throws {PullError} if there are too many. */
async function readBytes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let [bytes, values] = [0, 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw unusable(`a response of more than ${mostBytes} bytes`)
    // Each value follows a comma, or begins a list or an object.
    for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++
    if (values > mostValues) throw unusable(`a response of more than ${mostValues} values`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the error of a response: from the service, or from something in between. */
function refusalOf({ status, headers }: Response, bytes: Buffer): PullError {
  let problem: Record<string, unknown> = {}
  try {
    if (headers.get("content-type")?.includes("problem+json")) problem = JSON.parse(String(bytes))
  } catch {
    // The body is cut off.
  }
  const { code, requestId } = problem
  const isOurs = typeof code === "string"
  if (isOurs && status !== 429 && status < 500) return new ServiceProblem(status, problem)
  const what = isOurs
    ? `${status} ${code} (request ${requestId})`
    : `a response with status ${status} that is not from the service`
  return new TemporaryError(what, waitOf(headers))
}

/** Returns the seconds of `Retry-After`, at most a day. A date is compared with that of the response. */
function waitOf(headers: Headers): number | undefined {
  const after = headers.get("retry-after")
  if (!after) return undefined
  const seconds = /^\d+$/.test(after)
    ? Number(after)
    : (Date.parse(after) - Date.parse(headers.get("date") ?? "")) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), day)
}
