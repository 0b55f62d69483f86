import { Buffer } from "node:buffer"

/** A JSON response with its length, so that HEAD can tell it without sending the body. */
export function respondJson(
  value: unknown,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const bytes = Buffer.from(JSON.stringify(value))
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(bytes.byteLength),
    ...init.headers,
  }
  const response = new Response(bytes, { status: init.status ?? 200, headers })
  bodies.set(response, bytes)
  return response
}

/** The headers of everything that is read with a session: caches keep it, and ask before they use it. */
export const privateHeaders = {
  "cache-control": "private, no-cache",
  vary: "Accept-Encoding, Cookie",
}

// Reading a body back out of a Response goes through a web stream, at a third of the speed.
const bodies = new WeakMap<Response, Uint8Array>()

/** The body of a response that `respondJson` made; undefined for any other. */
export function bytesOf(response: Response): Uint8Array | undefined {
  return bodies.get(response)
}

/** The same response without its body, as HEAD wants it. */
export function withoutBody(response: Response): Response {
  return new Response(null, response)
}
