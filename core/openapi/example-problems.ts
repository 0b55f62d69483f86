import { longestBody } from "../http/body.ts"
import { longestUrl } from "../http/guard.ts"
import type { ProblemCode } from "../http/problems.ts"

/** From when on deletions are known, in the example of `resync_required`. */
export const exampleHorizon = 1790000000

/** The detail of each error that no route words by itself. */
export const exampleProblems: { readonly [C in ProblemCode]?: string } = {
  malformed_request: "Send one Host header, with a name and nothing else.",
  invalid_body: "The body is not JSON.",
  cursor_expired:
    "A cursor can be used for a day. Start again without it, with the same since as before.",
  resync_required:
    `Deletions are known from ${exampleHorizon} on. Read the whole list again with since=-1, ` +
    "forget what is not in it, and go on from its Next-Since.",
  body_too_large: `The body may have ${longestBody} bytes at most.`,
  url_too_long: `The path and query may have ${longestUrl} characters.`,
  unsupported_media_type: "Send JSON with the header content-type: application/json.",
  misdirected_request: "This service is not called by the name in Host.",
  too_fast: "Too many requests in one second. Ask at a steadier pace.",
  too_many_requests:
    "The requests of this hour are used up. Ask for changes only, with since, and less often.",
  too_many_at_once: "You have 4 requests running, as many as you may. Wait for one to end.",
  too_many_log_ins:
    "Too many log-ins failed under this name or from this address. Try again in 2 s.",
  headers_too_large: "The request line and headers may have 16 KiB together.",
  internal: "Something unforeseen happened. The request id leads the operator to it.",
  unavailable: "The service cannot answer now. Nothing was changed; ask again shortly.",
}
