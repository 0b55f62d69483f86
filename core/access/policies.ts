import type { ProblemCode } from "../http/problems.ts"
import type { Account } from "./accounts.ts"
import type { GrantedEvent } from "./admission.ts"
import type { scopedLists, TokenScope } from "./token-scope.ts"

/**
 * Who may use a route, as data: it is printed, compared and documented as well as enforced. Under
 * any policy but `anyone`, a route with an event in its path also needs a grant for that event.
 */
export type Policy =
  | { readonly kind: "anyone" }
  | { readonly kind: "signed-in" }
  | { readonly kind: "operator"; readonly viewers?: true }
  | { readonly kind: "granted"; readonly organizations: readonly string[] }
  | { readonly kind: "service-user"; readonly username: string; readonly organization: string }

/** The policies of a family: only with them can a partner or a customer be its reader. */
export type FamilyPolicy = Extract<Policy, { readonly kind: "granted" | "service-user" }>

/** Everyone, without a session. */
export const anyone: Policy = { kind: "anyone" }

/** Every account with a live session. */
export const signedIn: Policy = { kind: "signed-in" }

/** Accounts with the role `operator`. */
export const operatorOnly: Policy = { kind: "operator" }

/** Accounts with the role `operator` or `viewer`: for pages that change nothing. */
export const operatorOrViewer: Policy = { kind: "operator", viewers: true }

/** Accounts with a grant for the event, if the feature is on for its organization (slugs). */
export function granted(organizations: readonly string[]): FamilyPolicy {
  return { kind: "granted", organizations }
}

/** One dedicated account, for the events of one organization that it has a grant for. */
export function serviceUser(username: string, organization: string): FamilyPolicy {
  return { kind: "service-user", username, organization }
}

/** Why a caller is refused: a problem code and a sentence. */
export interface Denial {
  readonly code: ProblemCode
  readonly detail: string
}

/** The denial of every caller without a live session. */
export const unauthenticated: Denial = {
  code: "unauthenticated",
  detail:
    "This needs a session. Log in with POST /session and send its cookie, or send a token as " +
    "Authorization: Bearer.",
}

const onlyLooks: Denial = {
  code: "not_operator",
  detail: "Your account may look at the console, but change nothing. Ask an operator.",
}

/** Decides about the caller alone. Returns undefined if they may pass. */
export function denyCaller(
  policy: Policy,
  account: Omit<Account, "id"> | undefined,
): Denial | undefined {
  if (policy.kind === "anyone") return undefined
  if (!account) return unauthenticated
  if (policy.kind === "operator" && account.role !== "operator") {
    if (account.role === "viewer") return policy.viewers ? undefined : onlyLooks
    return { code: "not_operator", detail: "This is for operators of the service." }
  }
  if (
    policy.kind === "service-user" &&
    (account.role !== "service" || account.username !== policy.username)
  ) {
    return {
      code: "not_service_user",
      detail: "Only the service user that was set up for this namespace may read here.",
    }
  }
  return undefined
}

/**
 * Decides about the event, for a caller who passed `denyCaller`. `event` is undefined both if it
 * does not exist and if the caller has no grant for it; the denial is the same.
 */
export function denyEvent(
  policy: Policy,
  event: Pick<GrantedEvent, "organization"> | undefined,
): Denial | undefined {
  const outside = policy.kind === "service-user" && event?.organization !== policy.organization
  if (!event || outside) {
    return {
      code: "event_not_found",
      detail: "There is no such event, or you have no access to it.",
    }
  }
  if (policy.kind === "granted" && !policy.organizations.includes(event.organization)) {
    return {
      code: "connector_not_enabled",
      detail: "You may read this event, but its organization has not turned this connector on.",
    }
  }
  return undefined
}

/** What decides about a request with a scope. */
export interface ScopedRequest {
  /** The path of the family; undefined for a route of no family. */
  readonly family: string | undefined
  readonly eventId: string | undefined
  /** What it reads. */
  readonly lists: readonly (typeof scopedLists)[number][]
}

/** Returns why a token with a scope may not make a request; undefined if it may. */
export function denyScope(scope: TokenScope, request: ScopedRequest): Denial | undefined {
  const { family, eventId, lists } = request
  const code = "insufficient_scope"
  if (family === undefined) {
    const detail = "A token with a scope may only read lists of families. Log in for this."
    return { code, detail }
  }
  const needed = [
    { words: [family], allowed: scope.family, kind: "family" },
    { words: eventId === undefined ? [] : [eventId], allowed: scope.event, kind: "event" },
    { words: lists, allowed: scope.list as readonly string[] | undefined, kind: "list" },
  ]
  const missing = needed.flatMap(({ words, allowed, kind }) =>
    words.filter((word) => allowed && !allowed.includes(word)).map((word) => `${kind}:${word}`)
  )
  if (missing.length === 0) return undefined
  const detail = `This needs ${missing.join(" and ")}, but the token is only for ${scope.text}. ` +
    "Make another token, or log in."
  return { code, detail }
}

/** Returns the organizations (slugs) whose events a policy can let through; undefined means any. */
export function organizationsOf(policy: Policy): readonly string[] | undefined {
  if (policy.kind === "granted") return policy.organizations
  if (policy.kind === "service-user") return [policy.organization]
  return undefined
}

/** Puts a policy into words, for tables. */
export function describePolicy(policy: Policy): string {
  switch (policy.kind) {
    case "anyone":
      return "anyone"
    case "signed-in":
      return "signed in"
    case "operator":
      return policy.viewers ? "operators and viewers" : "operators"
    case "granted":
      return `granted; on for ${policy.organizations.join(", ") || "no organization"}`
    case "service-user":
      return `service user ${policy.username}; events of ${policy.organization}`
  }
}
