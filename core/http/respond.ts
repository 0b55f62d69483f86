import { Buffer } from "node:buffer"
import { jsonType, privateHeaders } from "./answer.ts"
import { etagOf, matchesEtag } from "./representation.ts"

interface Options {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a JSON response with its length, which HEAD needs without the body. */
export function respondJson(value: unknown, options: Options = {}): Response {
  return respondText(JSON.stringify(value), options)
}

/** Makes a JSON response with an `ETag`, or 304 without a body if `If-None-Match` has the tag. */
export function respondIfChanged(request: Request, value: unknown): Response {
  const text = JSON.stringify(value)
  const etag = etagOf(Buffer.from(text))
  const headers = { ...privateHeaders, etag }
  return matchesEtag(request.headers.get("if-none-match"), etag)
    ? new Response(null, { status: 304, headers })
    : respondText(text, { headers })
}

function respondText(text: string, { status = 200, headers = {} }: Options): Response {
  const length = { "content-length": String(Buffer.byteLength(text)) }
  return new Response(text, { status, headers: { ...length, ...jsonType, ...headers } })
}
