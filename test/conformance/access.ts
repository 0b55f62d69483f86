import { organizationsOf } from "../../core/inspection.ts"
import type { MountedRoute, Policy } from "../../core/plugin.ts"
import { callers } from "./sample-data.ts"
import type { SampleResponse, SampleService } from "./sample-service.ts"

/** Checks access to a route. Returns one sentence per caller whose response is not as expected. */
export async function accessProblems(
  route: MountedRoute,
  service: SampleService,
): Promise<string[]> {
  const home = service.home(route.auth)
  if (!home) {
    return [`${nameOf(route)}: its policy lets no organization in; check it with settings that do`]
  }
  const problems: string[] = []
  for (const { who, caller, event = home.full, expected, met } of expectations(route, service)) {
    const response = await service.send(route.method, pathTo(route, event), caller)
    if (met(response)) continue
    const fault = response.fault ? `: ${response.fault}` : ""
    problems.push(
      `${nameOf(route)}: expected ${expected} for ${who}, not ${response.status}${fault}`,
    )
  }
  return problems
}

/** Returns the account that a policy is for; undefined for everyone. */
export function rightCaller(policy: Policy): string | undefined {
  if (policy.kind === "anyone") return undefined
  if (policy.kind === "service-user") return policy.username
  return policy.kind === "operator" ? callers.operator : callers.insider
}

/** Returns the path of a route for an event. Other parameters become the word `some`. */
export function pathTo({ pattern }: MountedRoute, event: string): string {
  return pattern.text.replaceAll(
    /:(\w+)/g,
    (_, name: string) => name === "eventId" ? event : "some",
  )
}

/** Returns true for an array without records, and for an object of such arrays. */
export function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0
  return typeof body === "object" && body !== null && Object.values(body).every(isEmpty)
}

/** Returns the name of a route in problems. */
export function nameOf({ method, pattern }: MountedRoute): string {
  return `${method} ${pattern.text}`
}

interface Expectation {
  readonly who: string
  readonly caller?: string | undefined
  /** The event in the path; by default one that the policy lets in. */
  readonly event?: string
  readonly expected: string
  met(response: SampleResponse): boolean
}

function expectations(route: MountedRoute, { foreign }: SampleService): Expectation[] {
  const { auth, kind, method, pattern } = route
  const ofEvent = pattern.parameters.includes("eventId")
  const right: Expectation = {
    who: auth.kind === "anyone" ? "everyone" : "the caller that it is for",
    caller: rightCaller(auth),
    expected: kind === "listing" ? "200" : "a response",
    met: ({ status }) => kind === "listing" ? status === 200 : status < 500,
  }
  // Other methods than GET could have effects: only callers without access try them.
  const open = method === "GET" ? [right] : []
  if (auth.kind === "anyone") return open

  const refused = (who: string, caller: string | undefined, statuses: readonly number[]) => ({
    who,
    caller,
    expected: statuses.join(" or "),
    met: ({ status }: SampleResponse) => statuses.includes(status),
  })
  const personal = auth.kind === "operator" || auth.kind === "service-user"
  return [
    refused("a caller without a session", undefined, [401]),
    ...personal
      ? [
        refused("an account that it is not for", callers.outsider, [403]),
        refused("an account that it is not for, with every grant", callers.insider, [403]),
      ]
      : [],
    ...ofEvent
      ? [
        refused("an account without a grant", callers.outsider, [403, 404]),
        refused("an account with a grant for another organization", callers.neighbour, [403, 404]),
      ]
      : [],
    ...ofEvent && organizationsOf(auth) !== undefined
      ? [{
        ...refused("an event of another organization", rightCaller(auth), [403, 404]),
        event: foreign.full,
      }]
      : [],
    ...kind === "listing" && !ofEvent && route.list.parts.length > 0
      ? [{
        who: "an account without a grant",
        caller: callers.outsider,
        expected: "an empty list or 403",
        met: ({ status, body }: SampleResponse) => status === 403 || isEmpty(body),
      }]
      : [],
    ...open,
  ]
}
