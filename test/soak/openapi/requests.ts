import { hashOf, newToken } from "../../../plugins/capabilities/sessions/token-text.ts"
import { challengeOf, newSecret } from "../../../plugins/capabilities/ping/signature.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { Cursors } from "../../../core/request/listing/cursor.ts"
import type { ProblemCode } from "../../../core/http/problems.ts"
import type { MountedRoute } from "../../../core/routes/contract.ts"
import { openCursor, sealCursor } from "../../../plugins/capabilities/feed/cursor.ts"
import { FeedKey } from "../../../plugins/capabilities/feed/feed-key.ts"
import { exampleRequestId } from "../../../plugins/documents/openapi/problems.ts"
import { recordTypes } from "../../../core/records/kinds/categories.ts"
import { exampleEventId } from "../../../core/records/kinds/common.ts"
import { badEventId, badQuery, exampleScope } from "../../../core/request/example-problems.ts"
import { secret } from "../../support/app.ts"
import { password } from "../../support/builder.ts"
import type { Stage } from "./stage.ts"

/** A request to a route. */
export interface TestRequest {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Sends a request to a service, or to a proxy in front of it. */
export function send({ path, ...init }: TestRequest, url: string): Promise<Response> {
  return fetch(url + path, { redirect: "manual", ...init })
}

/** Returns the name of an account that may call a route; undefined if anyone may. */
export function callerOf({ auth }: MountedRoute): string | undefined {
  if (auth.kind === "anyone") return undefined
  if (auth.kind === "service-user") return auth.username
  return auth.kind === "operator" ? "operator" : "partner"
}

/** Returns a request that the route accepts; for lists, one for all records. */
export async function goodRequest(route: MountedRoute, stage: Stage): Promise<TestRequest> {
  const { cookie } = stage
  const caller = callerOf(route)
  const isOfTokens = route.pattern.text.startsWith("/session/tokens")
  const isOfPings = route.pattern.text.startsWith("/session/pings")
  const isConfirmation = route.pattern.text.endsWith("/confirmation")
  const receiver = isOfPings ? await addReceiver(stage, isConfirmation) : undefined
  const path = route.pattern.text === "/session/tokens/:id"
    ? `/session/tokens/${(await addToken(stage)).id}`
    : receiver
    ? route.pattern.text.replace(":id", receiver.id)
    : pathOf(route)
  // So that there is room for one, and it is not the 21st of an hour.
  if (isOfTokens && route.method === "POST") {
    await stage.workshop.database.writer.updateTable("session").set({ created: 0, expires: 0 })
      .where("lasting", "=", 1).execute()
  }
  const body = isOfTokens
    ? newTokenBody
    : receiver && isConfirmation
    ? { challenge: challengeOf(receiver, secret) }
    : receiver
    ? { url: "https://new.invalid/pings" }
    : { username: "partner", password }
  const withSince = route.kind === "listing" && !route.list.hasHorizon &&
    route.list.parameters.includes("since")
  const withBody = route.kind === "handler" && route.describe?.body !== undefined
  if (route.kind === "handler" && route.describe?.form) {
    const headers = { "x-request-id": exampleRequestId, ...formType }
    return { method: route.method, path, headers, body: grantForm("partner", password) }
  }
  return {
    method: route.method,
    path: `${path}${withSince ? "?since=-1" : ""}`,
    headers: {
      "x-request-id": exampleRequestId,
      ...withBody ? { "content-type": "application/json" } : {},
      ...caller === undefined ? {} : { cookie: await cookie(caller) },
    },
    ...withBody ? { body: JSON.stringify(body) } : {},
  }
}

const formType = { "content-type": "application/x-www-form-urlencoded" }

/** Returns what asks for a token by OAuth 2.0. */
export function grantForm(client_id: string, client_secret: string): string {
  const form = { grant_type: "client_credentials", client_id, client_secret }
  return String(new URLSearchParams(form))
}

const newTokenBody = { name: "n8n", lifetime: 3600 }

/** Adds a token to the database, of the partner if nobody else is named, and returns it with its id. */
async function addToken(
  { workshop: { database } }: Stage,
  { username = "partner", scope = null }: { username?: string; scope?: string | null } = {},
): Promise<{ id: string; token: string }> {
  const { id: account_id } = await database.writer.selectFrom("account").select("id")
    .where("username", "=", username).executeTakeFirstOrThrow()
  const token = newToken()
  const id = await insertSession(database, account_id, 3600, { lasting: 1 })
  const row = { session_id: id, account_id, name: newTokenBody.name, hash: hashOf(token) ?? "" }
  await database.writer.insertInto("account_token").values({ ...row, scope, epoch: 0 }).execute()
  return { id, token }
}

/** Adds a receiver of pings of the partner to the database, in the place of all others, and returns what its challenge is made of. */
async function addReceiver(
  { workshop: { database: { writer } } }: Stage,
  isChallenged: boolean,
): Promise<{ id: string; since: number }> {
  const { id: account_id } = await writer.selectFrom("account").select("id")
    .where("username", "=", "partner").executeTakeFirstOrThrow()
  await writer.deleteFrom("ping_receiver").execute()
  await writer.deleteFrom("ping_challenge").execute()
  const now = Math.floor(Date.now() / 1000)
  const id = crypto.randomUUID()
  await writer.insertInto("ping_receiver").values({
    ...{ id, account_id, url: "https://hooks.invalid/pings", secret: newSecret() },
    ...{ created: now, since: now, attempts: 1, next_at: 4_000_000_000 },
    ...isChallenged ? { state: "unconfirmed", reason: null } : { state: "off", reason: "gone" },
    ...{ last_sent: now, last_status: 410, last_error: "status", sent_seq: 0 },
  }).execute()
  return { id, since: now }
}

/** Errors that a single request provokes, on a service with the usual settings. */
export const plainProblems = [
  "unauthenticated",
  "not_operator",
  "not_service_user",
  "invalid_parameter",
  "not_with_a_token",
  "event_not_found",
  "record_not_found",
  "connector_not_enabled",
  "insufficient_scope",
  "not_available",
  "too_many_tokens",
  "cursor_expired",
  "resync_required",
  "invalid_body",
  "invalid_credentials",
  "not_found",
  "unsupported_media_type",
  "body_too_large",
] as const satisfies readonly ProblemCode[]

/** An error of `plainProblems`. */
export type PlainProblem = (typeof plainProblems)[number]

/** Returns a request that makes a route return an error. */
export async function badRequest(
  route: MountedRoute,
  code: PlainProblem,
  stage: Stage,
): Promise<TestRequest> {
  const good = await goodRequest(route, stage)
  const withPath = (path: string): TestRequest => ({ ...good, path })
  const withHeaders = (headers: TestRequest["headers"]): TestRequest => ({
    ...good,
    headers: { ...good.headers, ...headers },
  })
  const withBody = (body: string): TestRequest => ({ ...good, body })
  switch (code) {
    case "unauthenticated":
      return { ...good, headers: withoutCookie(good.headers) }
    case "not_operator":
    case "not_service_user":
      return withHeaders({ cookie: await stage.cookie("stranger") })
    case "invalid_parameter":
      return withPath(
        route.pattern.parameters.includes("eventId")
          ? pathOf(route, badEventId)
          : `${pathOf(route)}?${badQuery}`,
      )
    case "event_not_found":
      return withPath(pathOf(route, crypto.randomUUID()))
    case "record_not_found":
      return withPath(good.path.replace(/[^/]+$/, crypto.randomUUID()))
    case "connector_not_enabled":
      return withPath(pathOf(route, stage.elsewhere))
    case "insufficient_scope": {
      const owner = { username: callerOf(route) ?? "", scope: exampleScope.text }
      const { token } = await addToken(stage, owner)
      return withHeaders({ cookie: "", authorization: `Bearer ${token}` })
    }
    case "not_found":
      return withPath(
        route.pattern.text.startsWith("/session/pings")
          ? route.pattern.text.replace(":id", crypto.randomUUID())
          : good.path.replace(/[^/]+$/, "nothing-of-that-name"),
      )
    case "not_available":
      return route.method === "POST"
        ? withHeaders({ cookie: await stage.cookie("operator") })
        : good
    case "not_with_a_token":
      return withHeaders({ cookie: "", authorization: `Bearer ${(await addToken(stage)).token}` })
    case "too_many_tokens":
      for (let n = 0; n < 2; n++) await addToken(stage)
      return good
    case "cursor_expired":
      return withPath(`${pathOf(route)}?cursor=${await oldCursor(route, stage)}`)
    case "resync_required":
      return withPath(
        isFeed(route)
          ? `${pathOf(route)}?after=${await oldFeedCursor(route, good, stage)}`
          : `${pathOf(route)}?since=0`,
      )
    case "invalid_body":
      return withBody("{")
    case "invalid_credentials":
      return withBody(JSON.stringify({ username: "partner", password: "wrong" }))
    case "unsupported_media_type":
      return withHeaders({ "content-type": "text/plain" })
    case "body_too_large":
      return withBody(JSON.stringify({ username: "x".repeat(5000), password }))
  }
}

/** Returns the path of a route, for an event. */
export function pathOf(route: MountedRoute, event = exampleEventId): string {
  const record = route.kind === "listing" ? route.list.parts[0]?.projection.record ?? "" : ""
  const id = String(recordTypes.get(record)?.fields["id"]?.example)
  return route.pattern.text.replace(":eventId", event)
    .replace(":file", "design.css").replace(":code", "not_found").replace(/:id\b/, id)
}

/** True for the feed of an event. */
export function isFeed(route: MountedRoute): boolean {
  return route.kind === "listing" && route.list.parameters.includes("after")
}

async function callerIdOf(route: MountedRoute, { workshop: { database } }: Stage): Promise<string> {
  const { id } = await database.writer.selectFrom("account").select("id")
    .where("username", "=", callerOf(route) ?? "").executeTakeFirstOrThrow()
  return id
}

/** Returns a cursor of a feed that was read last when nobody knew of deletions yet. */
async function oldFeedCursor(
  route: MountedRoute,
  good: TestRequest,
  stage: Stage,
): Promise<string> {
  const { usual, workshop: { database } } = stage
  const { next } = await (await send({ ...good, path: `${good.path}?after=now` }, usual.url)).json()
  const key = await new FeedKey(database).find(database)
  const accountId = await callerIdOf(route, stage)
  const binding = { accountId, route: route.pattern.text, eventId: exampleEventId }
  const state = openCursor(next, binding, key)
  if (!state) throw new Error("the cursor cannot be opened")
  return sealCursor({ ...state, gone: 0, mark: undefined }, binding, key)
}

async function oldCursor(route: MountedRoute, stage: Stage): Promise<string> {
  const id = await callerIdOf(route, stage)
  const now = Math.floor(Date.now() / 1000)
  const walk = {
    q: "",
    since: -1,
    limit: 1,
    bucket: "",
    hash: "",
    category: "",
    nextSince: now,
    after: {},
  }
  return new Cursors([secret]).seal({ ...walk, issued: now - 100_000 }, {
    accountId: id,
    route: route.pattern.text,
    eventId: route.pattern.parameters.includes("eventId") ? exampleEventId : "",
  })
}

function withoutCookie(headers: TestRequest["headers"]): TestRequest["headers"] {
  const { cookie: _, ...others } = headers
  return others
}
