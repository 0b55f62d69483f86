import { linkOf } from "../../../support/polling/link.ts"
import { type Get, Refused } from "../../../support/partner/reply.ts"
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
  const isExpired = error instanceof Refused && error.code === "cursor_expired"
  return error instanceof NotNow || isExpired || isDisconnected(error) || isLeft(error)
}

/** What lists and feeds may answer besides. */
const ofReaders = ["400 invalid_parameter", "410 cursor_expired", "410 resync_required"]

/**
 * Returns how a program of a client gets pages; `asking` says how each is asked for. A cursor that nothing in force may have
 * signed is refused as if it had expired. @throws {NotNow} {TypeError} if a request has to be repeated later. @throws {Violation}
 */
export function getterOf(world: World, client: Client, asking: () => Asking): Get {
  /** What may have signed the cursors of links, by their paths. */
  const secrets = new Map<string, readonly string[]>()
  return async (path, own = {}) => {
    const { headers, ...options } = asking()
    const got = await ask(client, path, {
      headers: { ...headers, ...own },
      expected: ofReaders,
      ...options,
    })
    const signedBy = secrets.get(path) ?? []
    secrets.delete(path)
    const link = linkOf(got)
    const inForce = world.inForce
    if (link !== undefined) {
      secrets.set(
        link,
        inForce.flatMap(({ secrets: [first] }) => first ?? []),
      )
    }
    const isWorthless = signedBy.some((secret) =>
      inForce.some((version) => !version.secrets.includes(secret))
    )
    return got.status === 400 && isWorthless
      ? { ...got, status: 410, text: JSON.stringify({ code: "cursor_expired" }) }
      : got
  }
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
