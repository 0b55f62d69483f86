import { Buffer } from "node:buffer"
import { Readable } from "node:stream"

/** The bytes of a body. They must not be changed. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A response as data: it becomes a `Response`, or is written to a socket, only in the last step. */
export interface Answer {
  readonly status: number
  /** By name in lower case. An array is sent as several fields: `set-cookie` may have several. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Bytes | ReadableStream<Uint8Array> | Readable | null
  /** Called when nothing reads the body any more. */
  readonly release?: (() => void) | undefined
  /** The trailers of a streamed body, for clients that accept them. `names` is the header `Trailer`. */
  readonly trailers?: { readonly names: string; read(): Record<string, string> } | undefined
}

/** Where a request comes from. */
export interface Peer {
  /** An IP address. */
  readonly address: string
  /**
   * Calls `listener` with true once the response is sent in full, or with false if the connection has closed before,
   * even if it is added later. Missing if nothing is sent over a network.
   */
  readonly whenGone?: (listener: (sent: boolean) => void) => void
}

/** Answers one request. Never throws. */
export type Responder = (request: Request, peer: Peer) => Promise<Answer>

/** An answer with a body of JSON. */
export interface JsonAnswer extends Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/** Returns an answer with a JSON body and its length. `headers` may replace the content type. */
export function answerJson(
  value: unknown,
  { status = 200, headers = {} }: Partial<Pick<JsonAnswer, "status" | "headers">> = {},
): JsonAnswer {
  const body = Buffer.from(JSON.stringify(value))
  return {
    status,
    headers: { "content-length": String(body.byteLength), ...jsonType, ...headers },
    body,
  }
}

/** The content type of JSON that is not a problem. */
export const jsonType = { "content-type": "application/json; charset=utf-8" }

/** The headers of responses to a session: a cache may store them, but must revalidate each use. */
export const privateHeaders = {
  "cache-control": "private, no-cache",
  vary: "Accept, Accept-Encoding, Authorization, Cookie",
}

/** Removes the body, for HEAD. */
export function withoutBody({ status, headers }: Answer): Answer {
  return { status, headers, body: null }
}

/** Converts an answer to a `Response`. Copies the bytes. */
export function toResponse({ status, headers, body }: Answer): Response {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : value.map((each) => [name, each])
  ) as [string, string][]
  const content = body instanceof Readable ? webStreamOf(body) : body
  return new Response(content, { status, headers: fields })
}

/**
 * Like `Readable.toWeb`, which on Node.js 24 ends the process if the stream is cancelled while data flows: it throws
 * where nobody can catch it.
 */
function webStreamOf(body: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void body.destroy(),
  }
  return new ReadableStream(source, {
    highWaterMark: body.readableHighWaterMark,
    size: (chunk) => chunk.byteLength,
  })
}

/** The longest body in bytes that is read as a whole. */
const largestWhole = 1024 * 1024

/**
 * Converts a `Response` to an answer. A body with a short `content-length` becomes bytes, which are sent much faster;
 * any other stays a stream.
 * @throws whatever the body's stream throws.
 */
export async function fromResponse(response: Response): Promise<Answer> {
  const { status, body } = response
  const headers: Record<string, string | readonly string[]> = {}
  for (const [name, value] of response.headers) headers[name] = value
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers["set-cookie"] = cookies
  const length = response.headers.get("content-length")
  const isShort = length !== null && Number(length) <= largestWhole
  return {
    status,
    headers,
    body: body && isShort ? new Uint8Array(await response.arrayBuffer()) : body,
  }
}
