/** Returns the section of the handbook's incidents about a state of a partner or of a list. */
export function sectionOf(name: string): string {
  return ofLists[name] ?? name.replaceAll(" ", "-")
}

/** States that only lists have, with the section of the partner's state that explains them. */
const ofLists: Readonly<Record<string, string>> = { failed: "stuck", unread: "partial" }

/** Returns the section of the handbook's incidents about an error of a partner. */
export function sectionFor(
  { status, code }: { readonly status: number; readonly code: string },
): string {
  return byCode[code] ?? (status >= 500 ? "service-down-or-errors" : "errors-of-a-partner")
}

/** All other errors are faults of the partner's program or of the service. */
const byCode: Readonly<Record<string, string>> = {
  unauthenticated: "locked-out",
  invalid_credentials: "locked-out",
  too_many_log_ins: "locked-out",
  not_service_user: "no-access",
  connector_not_enabled: "no-access",
  event_not_found: "no-access",
  too_fast: "flooding-partner",
  too_many_requests: "flooding-partner",
  too_many_at_once: "flooding-partner",
  unavailable: "database-away",
}
