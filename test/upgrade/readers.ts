import { setTimeout as sleep } from "node:timers/promises"
import type { Observations } from "../chaos/observations.ts"
import { readExport } from "../support/export-reader.ts"
import { Partner } from "../support/pull/partner.ts"
import type { Outcome } from "../support/pull/partner.ts"

/** What readers beside the pollers read. */
export interface ReadersOptions {
  /** The balancer. */
  readonly url: string
  readonly cookie: string
  readonly eventIds: readonly string[]
  readonly observations: Observations
}

/** Those who wait for changes, export whole lists, and run the client pull. */
export class Readers {
  /** Responses that came because something had changed while the request waited. */
  woken = 0
  exports = 0
  /** Exports that ended early, with a URL for the rest, because their process was asked to end. */
  interrupted = 0
  pulls = 0
  /** Keeps a copy in SQLite. */
  readonly partner: Partner
  readonly #options: ReadersOptions
  readonly #leaving = new AbortController()
  #running: readonly Promise<void>[] = []

  constructor(options: ReadersOptions) {
    this.#options = options
    this.partner = new Partner("sqlite", { base: options.url })
  }

  start(): void {
    const [first = "", second = ""] = this.#options.eventIds
    this.#running = [
      this.#repeat(() => this.#wait(first)),
      this.#repeat(() => this.#wait(second)),
      this.#repeat(() => this.#export(`/acme/v1/events/${first}/guests/export?since=-1`)),
      this.#repeat(() => this.#pull()),
    ]
  }

  /** Ends after what is running. Then the client pull runs once more. */
  async finish(): Promise<void> {
    this.#leaving.abort()
    await Promise.all(this.#running)
    await this.#pull()
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#leaving
    while (!signal.aborted) {
      await work()
      await sleep(100)
    }
  }

  async #wait(eventId: string): Promise<void> {
    const path = `/acme/v1/events/${eventId}/guests?limit=5`
    const first = await this.#get(path)
    const tag = first.headers.get("etag") ?? ""
    const next = await this.#get(path, { prefer: "wait=3", "if-none-match": tag })
    if (next.status === 200 && next.headers.has("preference-applied")) this.woken++
  }

  async #export(path: string): Promise<void> {
    const response = await this.#get(path, { accept: "application/x-ndjson" })
    try {
      const { next } = readExport(response.text)
      this.exports++
      if (next === null) return
      this.interrupted++
      await this.#export(next.replace(/^https?:\/\/[^/]+/, ""))
    } catch (error) {
      this.#options.observations.violate(`an export: ${(error as Error).message}`)
    }
  }

  async #pull(): Promise<void> {
    const { code, errors }: Outcome = await this.partner.run(["--limit", "50"])
    this.pulls++
    if (code !== 0) this.#options.observations.violate(`pull ended with ${code}: ${errors}`)
  }

  async #get(path: string, headers: Readonly<Record<string, string>> = {}) {
    const { url, cookie, observations } = this.#options
    const response = await fetch(url + path, { headers: { cookie, ...headers } }).catch((error) => {
      observations.violate(`${path.replace(/\?.*/, "")} failed: ${error.cause?.code ?? error}`)
      return new Response(null, { status: 599 })
    })
    const text = await response.text().catch(() => "")
    observations.count(String(response.status))
    if (response.status !== 200 && response.status !== 304) {
      observations.violate(`${path.replace(/\?.*/, "")} returned ${response.status}`)
    }
    return { status: response.status, headers: response.headers, text }
  }
}
