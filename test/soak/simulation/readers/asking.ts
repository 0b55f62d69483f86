import type { Random } from "../../../support/random.ts"
import type { Ask, Client, Got } from "../client.ts"
import { isDisconnected } from "../service.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"

/** A response that partners have to live with: they go on later. */
export class NotNow extends Error {
  override readonly name = "NotNow"
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

/** What may be answered at some moments, whatever a partner does right. */
const usual = new Set([
  "401 unauthenticated",
  "403 connector_not_enabled",
  "404 event_not_found",
  "404 not_available",
  "404 not_found",
  "429 too_fast",
  "429 too_many_requests",
  "429 too_many_at_once",
  // Others look after these.
  "500 internal",
  "503 unavailable",
])

/** How a request of a reader is sent, and which errors it may get. */
export type Asking = Ask & { readonly expected?: readonly string[] }

/**
 * Sends a request of a reader. Returns a 200, a 304, or what `expected` names, such as `410 resync_required`.
 * @throws {NotNow} {TypeError} if it has to be repeated later. @throws {Violation} for any other answer.
 */
export async function ask(
  client: Client,
  path: string,
  { expected = [], ...options }: Asking = {},
): Promise<Got> {
  const got = await client.get(path, options)
  if (got.status === 200 || got.status === 304) return got
  const code = codeOf(got)
  const answer = `${got.status} ${code}`
  if (expected.includes(answer)) return got
  if (usual.has(answer)) throw new NotNow(got.status, code)
  throw new Violation(`${client.name} got ${answer} for ${path}: ${got.text.slice(0, 200)}`)
}

/** Returns the code of an error; empty without one. */
export function codeOf({ json }: Pick<Got, "json">): string {
  return (json as { code?: string } | undefined)?.code ?? ""
}

/** Returns true if a request failed as it may while something is broken. */
export function isPassing(error: unknown): boolean {
  return error instanceof NotNow || isDisconnected(error) || isLeft(error)
}

/** Returns true if a client has left before the response. */
function isLeft(error: unknown): boolean {
  return ["AbortError", "TimeoutError"].includes((error as Error).name)
}

/** Returns how a client behaves in one request: usually well, now and then slowly, or it leaves at some byte or moment. */
export function disturbed(random: Random): Ask {
  const kind = random.below(40)
  if (kind === 0) return { leavesAfter: random.below(3000) }
  if (kind === 1) return { stalls: random.between(1, 3000) }
  if (kind === 2) return { signal: AbortSignal.timeout(random.between(1, 50)) }
  return {}
}

/** Returns one of the services; undefined, for the first that runs, now and then. */
export function anyService(world: World, random: Random): Ask {
  const { running } = world
  return running.length > 1 && random.below(2) > 0 ? { service: random.pick(running) } : {}
}
