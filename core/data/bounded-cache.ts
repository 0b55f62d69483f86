import { LRUCache } from "lru-cache"

/** A map that forgets the entries that were used least recently. */
export type BoundedCache<Value extends NonNullable<unknown>> = LRUCache<string, Value>

/**
 * Returns a cache for `most` entries, each of which lasts `ttl` milliseconds if that is given. Takes memory as
 * it fills: with the option `max`, the library reserves all of it at once, some milliseconds' work for each
 * configuration that is loaded.
 */
export function boundedCache<Value extends NonNullable<unknown>>(
  { most, ttl }: { readonly most: number; readonly ttl?: number },
): BoundedCache<Value> {
  const size = { maxSize: most, sizeCalculation: () => 1 }
  return new LRUCache<string, Value>(ttl === undefined ? size : { ...size, ttl })
}
