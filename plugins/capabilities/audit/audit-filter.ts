import { UserError } from "../../../core/capability.ts"
import { parseMoment, parseStart } from "../../../core/commands.ts"
import type { AuditFilter } from "./audit-log.ts"

/** Filters as people write them, in flags or in a URL. */
export interface FilterTexts {
  readonly account?: string
  readonly event?: string
  readonly request?: string
  readonly address?: string
  readonly action?: string
  readonly actor?: string
  /** `404`, or `4xx` for several. */
  readonly status?: string
  /** A day (UTC) or a moment; `until` includes a day. */
  readonly since?: string
  readonly until?: string
}

/** Reads filters. @throws {UserError} for a wrong status or time. */
export function readFilter(
  { event, status, since, until, ...texts }: FilterTexts,
): Omit<AuditFilter, "limit"> {
  if (status !== undefined && !/^[1-5](\d\d|xx)$/i.test(status)) {
    throw new UserError(`${status} is not a status: write 404, or 4xx for several.`)
  }
  return {
    ...texts,
    ...event !== undefined && { event: event.toLowerCase() },
    ...status !== undefined && { status: Number(status.replace(/xx$/i, "")) },
    ...since !== undefined && { since: parseStart(since) },
    ...until !== undefined && { until: parseMoment(until) },
  }
}
