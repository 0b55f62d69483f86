import { Buffer } from "node:buffer"
import { longestBody, Problem, problems, usualProblem } from "./problems.ts"

/** Milliseconds in which a body has to arrive: less than any answer may take, so that a slow client learns it. */
const arrivalTime = 15_000

/**
 * Returns a request whose body has arrived. The time limit of its handler begins after that.
 *
 * @throws {Problem} 400 if it does not arrive in time or is cut short, 413 past `longest` bytes.
 */
export async function receiveBody(
  request: Request,
  { longest = longestBody, within = arrivalTime } = {},
): Promise<Request> {
  if (!request.body) return request
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(arrivesLate()), within)
  try {
    // What is late is left unread: cancelling it would close the connection before the answer.
    const body = await Promise.race([readBytes(request, longest), late])
    const { url, method, headers, signal } = request
    return new Request(url, { method, headers, signal, body })
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the problem of a request that did not arrive in time. */
export function arrivesLate(): Problem {
  const headers = { connection: "close" }
  return new Problem("malformed_request", "The request did not arrive in time.", { headers })
}

/**
 * Reads a request's JSON body.
 *
 * @throws {Problem} 415 for another content type or a compressed body, 413 past `longestBody`, 400 if the body is not JSON,
 *   or names a member twice.
 */
export async function readJson(request: Request): Promise<unknown> {
  assertPlain(request)
  if (typeOf(request) !== "application/json") throw usualProblem("unsupported_media_type")
  const text = textOf(await readBytes(request, longestBody))
  let members = 0
  let value: unknown
  try {
    value = JSON.parse(text, function (this: unknown, _name, member) {
      if (!Array.isArray(this)) members++
      return member
    })
  } catch {
    throw usualProblem("invalid_body")
  }
  // A proxy that inspects bodies may take the first of two. The value itself counts as a member.
  if (namesIn(text) === members - 1) return value
  throw new Problem("invalid_body", "The body has two members of one name. Nothing was changed.")
}

/** Counts the names of members: the texts that a colon follows. */
function namesIn(json: string): number {
  const texts = json.match(/"(?:[^"\\]|\\.)*"\s*:?/g) ?? []
  return texts.filter((text) => text.endsWith(":")).length
}

const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"]

/**
 * Reads the body of a form that a browser sends, with or without files. `longest` is in bytes; a route that takes more
 * than usual declares the same as its `longestBody`.
 *
 * @throws {Problem} 415 for another content type or a compressed body, 413 past `longest`, 400 if the body is not a
 *   form.
 */
export async function readForm(request: Request, longest = longestBody): Promise<FormData> {
  assertPlain(request)
  if (!formTypes.includes(typeOf(request))) {
    throw new Problem("unsupported_media_type", "Send a form, as a browser does.")
  }
  const bytes = await readBytes(request, longest)
  const headers = { "content-type": request.headers.get("content-type") ?? "" }
  try {
    return await new Response(bytes, { headers }).formData()
  } catch {
    throw new Problem("invalid_body", "The body is not a form, or was cut short.")
  }
}

/** Returns the problem of a body that is longer than `longest` bytes. */
export function bodyTooLarge(longest: number): Problem {
  const headers = { connection: "close" }
  const detail = problems.body_too_large.detail.replace(String(longestBody), String(longest))
  return new Problem("body_too_large", detail, { headers })
}

/** @throws {Problem} 415 for a compressed body: nothing here decompresses it. */
function assertPlain(request: Request): void {
  const encoding = request.headers.get("content-encoding") ?? "identity"
  if (encoding.toLowerCase() === "identity") return
  throw new Problem("unsupported_media_type", "Send the body as it is, without Content-Encoding.")
}

/** Returns the media type of a body, without its parameters. */
function typeOf(request: Request): string {
  return request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? ""
}

async function readBytes(request: Request, longest: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request.body ?? []) {
      length += chunk.byteLength
      if (length > longest) throw bodyTooLarge(longest)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : unreadable()
  }
  return Buffer.concat(chunks)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw unreadable()
  }
}

function unreadable(): Problem {
  return new Problem("invalid_body", "The body is not UTF-8, or was cut short.")
}
