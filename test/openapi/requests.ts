import { Cursors } from "../../core/request/listing/cursor.ts"
import type { ProblemCode } from "../../core/http/problems.ts"
import type { MountedRoute } from "../../core/routes/contract.ts"
import { exampleRequestId } from "../../plugins/openapi/examples.ts"
import { exampleEventId } from "../../core/records/kinds/common.ts"
import { badEventId, badQuery } from "../../core/request/example-problems.ts"
import { secret } from "../support/app.ts"
import { password } from "../support/builder.ts"
import type { Stage } from "./stage.ts"

/** What is sent to a route. */
export interface Asked {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends it to a service, or to what stands in front of one. */
export function send({ path, ...init }: Asked, url: string): Promise<Response> {
  return fetch(url + path, { redirect: "manual", ...init })
}

/** The account that a route is for. */
export function callerOf({ auth }: MountedRoute): string | undefined {
  if (auth.kind === "anyone") return undefined
  if (auth.kind === "service-user") return auth.username
  return auth.kind === "operator" ? "operator" : "partner"
}

/** A request that the route answers as it should: of lists, everything. */
export async function goodRequest(route: MountedRoute, { cookie }: Stage): Promise<Asked> {
  const caller = callerOf(route)
  const withSince = route.kind === "listing" && !route.list.hasHorizon &&
    route.list.parameters.includes("since")
  const withBody = route.kind === "handler" && route.describe?.body !== undefined
  return {
    method: route.method,
    path: `${pathOf(route)}${withSince ? "?since=-1" : ""}`,
    headers: {
      "x-request-id": exampleRequestId,
      ...withBody ? { "content-type": "application/json" } : {},
      ...caller === undefined ? {} : { cookie: await cookie(caller) },
    },
    ...withBody ? { body: JSON.stringify({ username: "partner", password }) } : {},
  }
}

/** Errors that a single request brings about, on a service with its usual settings. */
export const plainProblems = [
  ...["unauthenticated", "not_operator", "not_service_user"] as const,
  ...["invalid_parameter", "event_not_found", "connector_not_enabled", "not_available"] as const,
  ...["cursor_expired", "resync_required"] as const,
  ...["invalid_body", "invalid_credentials", "not_found"] as const,
  ...["unsupported_media_type", "body_too_large"] as const,
] satisfies ProblemCode[]

/** The errors above. */
export type PlainProblem = (typeof plainProblems)[number]

/** The request that a route answers with an error. */
export async function badRequest(
  route: MountedRoute,
  code: PlainProblem,
  stage: Stage,
): Promise<Asked> {
  const good = await goodRequest(route, stage)
  const asked = (path: string): Asked => ({ ...good, path })
  const headed = (headers: Asked["headers"]): Asked => ({
    ...good,
    headers: { ...good.headers, ...headers },
  })
  const sent = (body: string): Asked => ({ ...good, body })
  switch (code) {
    case "unauthenticated":
      return headed({ cookie: "" })
    case "not_operator":
    case "not_service_user":
      return headed({ cookie: await stage.cookie("stranger") })
    case "invalid_parameter":
      return asked(
        route.pattern.parameters.includes("eventId")
          ? pathOf(route, badEventId)
          : `${pathOf(route)}?${badQuery}`,
      )
    case "event_not_found":
      return asked(pathOf(route, crypto.randomUUID()))
    case "connector_not_enabled":
      return asked(pathOf(route, stage.elsewhere))
    case "not_found":
      return asked(good.path.replace(/[^/]+$/, "nothing-of-that-name"))
    case "not_available":
      return good
    case "cursor_expired":
      return asked(`${pathOf(route)}?cursor=${await oldCursor(route, stage)}`)
    case "resync_required":
      return asked(`${pathOf(route)}?since=0`)
    case "invalid_body":
      return sent("{")
    case "invalid_credentials":
      return sent(JSON.stringify({ username: "partner", password: "wrong" }))
    case "unsupported_media_type":
      return headed({ "content-type": "text/plain" })
    case "body_too_large":
      return sent(JSON.stringify({ username: "x".repeat(5000), password }))
  }
}

/** The path of a route for an event. */
export function pathOf({ pattern }: MountedRoute, event = exampleEventId): string {
  return pattern.text.replace(":eventId", event).replace(":file", "poll.py")
}

async function oldCursor(route: MountedRoute, { workshop }: Stage): Promise<string> {
  const { id } = await workshop.database.writer.selectFrom("account").select("id")
    .where("username", "=", callerOf(route) ?? "").executeTakeFirstOrThrow()
  const now = Math.floor(Date.now() / 1000)
  const walk = { q: "", since: -1, limit: 1, bucket: "", nextSince: now, after: {} }
  return new Cursors([secret]).seal({ ...walk, issued: now - 100_000 }, {
    accountId: id,
    route: route.pattern.text,
    eventId: route.pattern.parameters.includes("eventId") ? exampleEventId : "",
  })
}
