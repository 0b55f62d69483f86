import { answerJson, type JsonAnswer, privateHeaders } from "./answer.ts"
import { etagOf, matchesEtag } from "./representation.ts"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a JSON response with its length, which HEAD needs without the body. */
export function respondJson(value: unknown, options: Options = {}): Response {
  return responseOf(answerJson(value, options))
}

/** Makes a JSON response with an `ETag`, or 304 without a body if `If-None-Match` has the tag. */
export function respondIfChanged(request: Request, value: unknown): Response {
  const answer = answerJson(value)
  const etag = etagOf(answer.body)
  const headers = { ...privateHeaders, etag }
  return matchesEtag(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers })
    : responseOf({ ...answer, headers: { ...answer.headers, ...headers } })
}

/** Plugins in JavaScript may give headers as numbers: the platform makes texts of them. */
function responseOf({ status, headers, body }: JsonAnswer): Response {
  return new Response(body, { status, headers })
}
