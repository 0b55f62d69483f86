import type { Client, Got } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { ask, type Asking, codeOf, NotNow } from "./asking.ts"

/** Where a walk goes on. */
export interface Link {
  /** The URL of the next page. */
  readonly url: string
  /** What may have signed its cursor. */
  readonly secrets: readonly string[]
}

/** Returns where a walk goes on after a page that came right now; undefined after the last one. */
export function linkOf(world: World, headers: Headers): Link | undefined {
  const url = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
  const secrets = world.inForce.flatMap(({ secrets: [first] }) => first ?? [])
  return url === undefined ? undefined : { url, secrets }
}

/** True if an operator has dropped meanwhile what signed a cursor, so that it may be refused. */
export function isWorthless(world: World, { secrets }: Link): boolean {
  return secrets.some((secret) =>
    world.inForce.some((version) => !version.secrets.includes(secret))
  )
}

/**
 * Reads a list from a path to its end, in one go. `asking` returns how each page is asked for.
 * @throws {NotNow} {TypeError} if that fails now. @throws {Violation}
 */
export async function* readPages(
  world: World,
  client: Client,
  path: string,
  asking: () => Asking = () => ({}),
): AsyncGenerator<Got> {
  let link: Link | undefined
  do {
    const got = await ask(client, link?.url ?? path, {
      ...asking(),
      ...link && { expected: ["400 invalid_parameter"] },
    })
    if (got.status === 400) {
      if (link && isWorthless(world, link)) throw new NotNow(400, codeOf(got))
      throw new Violation(`${client.name} got 400 for ${path}: ${got.text}`)
    }
    link = linkOf(world, got.headers)
    yield got
  } while (link)
}
