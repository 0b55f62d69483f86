import { Buffer } from "node:buffer"

/** What is sent; nobody changes it any more. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A JSON response with its length, so that HEAD can tell it without sending the body. */
export function respondJson(
  value: unknown,
  init: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return respondBytes(encodeJson(value), { ...init, headers: { ...jsonType, ...init.headers } })
}

/** The header of JSON that is no problem. */
export const jsonType = { "content-type": "application/json; charset=utf-8" }

/** A value as the bytes of its JSON. */
function encodeJson(value: unknown): Bytes {
  return Buffer.from(JSON.stringify(value))
}

/** A response of bytes that nobody changes any more. */
export function respondBytes(
  bytes: Bytes,
  { status = 200, headers }: {
    readonly status?: number
    readonly headers: Readonly<Record<string, string>>
  },
): Response {
  const length = { "content-length": String(bytes.byteLength) }
  const response = new Response(streamOf(bytes), { status, headers: { ...length, ...headers } })
  bodies.set(response, bytes)
  return response
}

/** A Response copies bytes that it is given; of a stream it takes nothing until somebody reads. */
function streamOf(bytes: Bytes): ReadableStream {
  return new ReadableStream({
    pull(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes)
      controller.close()
    },
  }, { highWaterMark: 0 })
}

/** The headers of everything that is read with a session: caches keep it, and ask before they use it. */
export const privateHeaders = {
  "cache-control": "private, no-cache",
  vary: "Accept-Encoding, Cookie",
}

// Reading a body back out of a Response goes through a web stream, at a third of the speed.
const bodies = new WeakMap<Response, Uint8Array>()

/** The body of a response that `respondJson` or `respondBytes` made; undefined for any other. */
export function bytesOf(response: Response): Uint8Array | undefined {
  return bodies.get(response)
}

/** The same response without its body, as HEAD wants it. */
export function withoutBody(response: Response): Response {
  return new Response(null, response)
}
