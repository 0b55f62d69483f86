import { etagOf, matchesEtag } from "./etag.ts"
import { bytesOf, privateHeaders, respondJson } from "./respond.ts"

/** A JSON response with an `ETag`; 304 without a body where the request has it in `If-None-Match`. */
export function respondIfChanged(request: Request, value: unknown): Response {
  const response = respondJson(value)
  const etag = etagOf(bytesOf(response) ?? new Uint8Array())
  const headers = { ...privateHeaders, etag }
  if (matchesEtag(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers })
  }
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
