import { organizationsOf, type Policy } from "../access/policies.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { isEmpty } from "../records/list.ts"
import { callers } from "./sample-data.ts"
import type { Answer, SampleService } from "./sample-service.ts"

/** Checks who may use a route, and who may not. */
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
    const answer = await service.ask(route.method, pathTo(route, event), caller)
    if (met(answer)) continue
    const fault = answer.fault ? `: ${answer.fault}` : ""
    problems.push(`${nameOf(route)}: expected ${expected} for ${who}, not ${answer.status}${fault}`)
  }
  return problems
}

/** Returns the account that a policy is for; undefined for everyone. */
export function rightCaller(policy: Policy): string | undefined {
  if (policy.kind === "anyone") return undefined
  if (policy.kind === "service-user") return policy.username
  return policy.kind === "operator" ? callers.operator : callers.insider
}

/** Returns the path of a route for an event. Other parameters get some word. */
export function pathTo({ pattern }: MountedRoute, event: string): string {
  return pattern.text.replaceAll(
    /:(\w+)/g,
    (_, name: string) => name === "eventId" ? event : "some",
  )
}

/** Returns the name of a route in problems. */
export function nameOf({ method, pattern }: MountedRoute): string {
  return `${method} ${pattern.text}`
}

interface Expectation {
  readonly who: string
  readonly caller?: string | undefined
  /** The event in the path; left out, it is the right one. */
  readonly event?: string
  readonly expected: string
  met(answer: Answer): boolean
}

function expectations(route: MountedRoute, { foreign }: SampleService): Expectation[] {
  const { auth, kind, method, pattern } = route
  const ofEvent = pattern.parameters.includes("eventId")
  const right: Expectation = {
    who: auth.kind === "anyone" ? "everyone" : "the caller that it is for",
    caller: rightCaller(auth),
    expected: kind === "listing" ? "200" : "an answer",
    met: ({ status }) => kind === "listing" ? status === 200 : status < 500,
  }
  // Other methods than GET could have effects: only callers who are refused try them.
  const open = method === "GET" ? [right] : []
  if (auth.kind === "anyone") return open

  const refused = (who: string, caller: string | undefined, statuses: readonly number[]) => ({
    who,
    caller,
    expected: statuses.join(" or "),
    met: ({ status }: Answer) => statuses.includes(status),
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
        met: ({ status, body }: Answer) => status === 403 || isEmpty(body),
      }]
      : [],
    ...open,
  ]
}
