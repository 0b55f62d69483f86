import { LRUCache } from "lru-cache"

/**
 * Returns a cache for `most` entries, each of which lasts `ttl` milliseconds if that is set. Takes memory as it fills:
 * with the option `max`, the library reserves all of it at once, which takes milliseconds at each reload.
 */
export function boundedCache<Value extends NonNullable<unknown>>(
  { most, ttl }: { readonly most: number; readonly ttl?: number },
): LRUCache<string, Value> {
  const size = { maxSize: most, sizeCalculation: () => 1 }
  return new LRUCache<string, Value>(ttl === undefined ? size : { ...size, ttl })
}
