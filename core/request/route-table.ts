import { longestBody, Problem, usualProblem } from "../http/problems.ts"
import type { MountedRoute, Route } from "../routes/contract.ts"

/** The route that a request matches. */
export interface RouteMatch<Kind extends Route = Route> {
  readonly route: MountedRoute & Kind
  /** The decoded parameters of the path; undefined if one is not percent-encoded UTF-8. */
  readonly params: Readonly<Record<string, string>> | undefined
}

/** The mounted routes, by path and method. */
export class RouteTable {
  /** Routes with the same path, apart from the names of parameters, stand together. */
  readonly #paths: readonly (readonly MountedRoute[])[]

  constructor(routes: readonly MountedRoute[]) {
    const byShape = Map.groupBy(routes, ({ pattern }) => pattern.shape)
    // Words before parameters, so that `/events/special` is not taken for `/events/:eventId`.
    this.#paths = [...byShape].sort(([a], [b]) => wordsFirst(a, b)).map(([, routes]) => routes)
  }

  /** All routes, in the order in which they are tried. */
  get routes(): readonly MountedRoute[] {
    return this.#paths.flat()
  }

  /**
   * Finds the route of a method and a path; HEAD finds GET. If there is none, returns the problem: 405 if the path has
   * other methods, else 404.
   */
  find(method: string, path: string): RouteMatch | Problem {
    const atPath = this.#at(path)
    if (!atPath) return this.#notFound(path)
    const wanted = method === "HEAD" ? "GET" : method
    const route = atPath.find((route) => route.method === wanted)
    if (!route) return notAllowed(method, atPath)
    return { route, params: decodeParameters(route.pattern.expression.exec(path)?.groups ?? {}) }
  }

  /** Returns the longest body in bytes that a request may have. */
  longestBody(method: string, path: string): number {
    const match = this.find(method, path)
    const route = match instanceof Problem ? undefined : match.route
    return route?.kind === "handler" && route.longestBody || longestBody
  }

  #at(path: string): readonly MountedRoute[] | undefined {
    return this.#paths.find(([first]) => first?.pattern.expression.test(path))
  }

  #notFound(path: string): Problem {
    // A redirect would hide the mistake, and many programs drop their credentials or their body on the way.
    const right = withoutExtraSlashes(path).find((each) => this.#at(each))
    return right === undefined ? usualProblem("not_found") : new Problem(
      "not_found",
      `There is nothing at this URL: it has a slash too many, or a value is missing. Request ${right}.`,
    )
  }
}

/** Returns what a path may have been meant as; nothing if it has no slash too many. */
function withoutExtraSlashes(path: string): readonly string[] {
  const single = path.replace(/\/{2,}/g, "/")
  return [single, single.replace(/\/$/, "")].filter((each) => each !== path)
}

/**
 * Returns true for paths such as `/x/v1/events`, even without such a family. Without a session all are answered alike,
 * because their first segments may be names of customers.
 */
export function isFamilyPath(path: string): boolean {
  return /^\/.+\/v\d+(\/|$)/.test(path)
}

/** Returns the name under which an account's requests to these routes are counted together. */
export function familyOf({ plugin, prefix }: Pick<MountedRoute, "plugin" | "prefix">): string {
  return `${plugin} ${prefix}`
}

function notAllowed(method: string, routes: readonly MountedRoute[]): Problem {
  const allowed = routes.flatMap((route) => route.method === "GET" ? ["GET", "HEAD"] : route.method)
  const allow = allowed.sort().join(", ")
  const detail = `${method} is not allowed here. Allowed: ${allow}.`
  return new Problem("method_not_allowed", detail, { headers: { allow } })
}

function wordsFirst(a: string, b: string): number {
  const key = (shape: string) => shape.replaceAll(":", "\uffff")
  return key(a) < key(b) ? -1 : 1
}

/** Decodes the parameters of a match. Returns undefined if one is not percent-encoded UTF-8. */
function decodeParameters(
  raw: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(raw).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    return undefined
  }
}
