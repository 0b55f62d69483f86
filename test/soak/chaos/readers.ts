import { readExport } from "../../support/export-reader.ts"
import { type Client, NotNow } from "./client.ts"
import { repeat } from "./repeat.ts"
import type { Scene } from "./stage.ts"

/** Those who wait for changes, and export whole lists. */
export class Readers {
  /** Responses that came because something had changed while the request waited. */
  woken = 0
  exports = 0
  /** Exports that ended early, with a URL for the rest, because their process was asked to end. */
  interrupted = 0
  readonly #scene: Scene
  readonly #client: Client
  readonly #leaving = new AbortController()
  #running: readonly Promise<void>[] = []

  constructor(scene: Scene, client: Client) {
    this.#scene = scene
    this.#client = client
  }

  start(): void {
    const [first = "", second = ""] = this.#scene.data.eventIds
    const { signal } = this.#leaving
    this.#running = [
      repeat(() => this.#wait(first), signal),
      repeat(() => this.#wait(second), signal),
      repeat(() => this.#export(`/acme/v1/events/${first}/guests/export?since=-1`), signal),
    ]
    // `finish` reports it.
    for (const each of this.#running) each.catch(() => {})
  }

  /** Ends after what is running. */
  async finish(): Promise<void> {
    this.leave()
    await Promise.all(this.#running)
  }

  leave(): void {
    this.#leaving.abort()
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
      if (error instanceof NotNow) throw error
      this.#scene.observations.violate(`an export: ${(error as Error).message}`)
    }
  }

  async #get(path: string, headers: Readonly<Record<string, string>> = {}) {
    const cookie = this.#scene.cookies["acme-export"] ?? ""
    return await this.#client.get(path, { cookie, headers })
  }
}
