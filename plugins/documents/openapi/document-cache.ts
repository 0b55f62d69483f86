import { LRUCache } from "lru-cache"
import type { Catalogue } from "../../../core/plugin.ts"

type Json = Readonly<Record<string, unknown>>

/** Caches the 20 documents used last: many callers see the same routes. */
export class DocumentCache {
  readonly #generate: (catalogue: Catalogue) => Promise<Json>
  readonly #documents = new LRUCache<string, Json>({ max: 20 })

  /** `generate` must depend on the server, the reader, the routes and their events alone. */
  constructor(generate: (catalogue: Catalogue) => Promise<Json>) {
    this.#generate = generate
  }

  /** Returns the document of a catalogue, generated if it is not cached. */
  async find(catalogue: Catalogue): Promise<Json> {
    const { server, reader } = catalogue
    const routes = catalogue.routes.map((route) =>
      [route.method, route.pattern.text, catalogue.eventsOf(route)[0]?.id].join(" ")
    )
    const key = JSON.stringify([server, reader, routes])
    const document = this.#documents.get(key) ?? await this.#generate(catalogue)
    this.#documents.set(key, document)
    return document
  }
}
