import { LRUCache } from "lru-cache"
import type { Catalogue } from "../../../core/plugin.ts"
import type { Json } from "./schemas.ts"

/**
 * Returns `generate` with a cache of the 20 most recently used documents, since many callers see the same routes.
 * `generate` may only depend on the server, the reader, the routes and their events.
 */
export function cacheDocuments(
  generate: (catalogue: Catalogue) => Promise<Json>,
): (catalogue: Catalogue) => Promise<Json> {
  const documents = new LRUCache<string, Json>({ max: 20 })
  return async (catalogue) => {
    const { server, reader } = catalogue
    const routes = catalogue.routes.map((route) =>
      [route.method, route.pattern.text, catalogue.eventsOf(route)[0]?.id].join(" ")
    )
    const key = JSON.stringify([server, reader, routes])
    const document = documents.get(key) ?? await generate(catalogue)
    documents.set(key, document)
    return document
  }
}
