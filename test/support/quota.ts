/**
 * Returns how many requests of a quota per hour a response says are used, in tenths: as many as become free again in the
 * time until all are. Each that is used becomes free meanwhile: a tenth is longer than a test takes if the quota is small.
 */
export function usedOf({ headers }: Response, quota: number): number {
  const seconds = Number(/"quota";r=\d+;t=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1])
  return Math.round(seconds / 3600 * quota * 10) / 10
}
