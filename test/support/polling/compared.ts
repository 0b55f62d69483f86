import { Buffer } from "node:buffer"
import type { App } from "../../../core/request/app.ts"

type Fetch = App["fetch"]

/**
 * Returns a service that sends the requests of a path to several instances in turn, and each request for
 * records also to an instance that keeps no pages and records, without the tag. Nobody may write meanwhile.
 * Deletions are not compared: they are never kept as records.
 *
 * @throws if the status, the tag or a byte of a page differs. A tag covers the bytes, so a 304 with another one
 *   hides another page.
 */
export function compared(instances: readonly Fetch[], withoutCaches: Fetch): Fetch {
  const turns = new Map<string, number>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    const turn = turns.get(pathname) ?? 0
    turns.set(pathname, turn + 1)
    const instance = instances[turn % instances.length] as Fetch
    if (!/\/(guests|items)$/.test(pathname)) return await instance(request)
    const [got, expected] = await Promise.all([
      instance(request).then(read),
      withoutCaches(withoutTag(request)).then(read),
    ])
    assertSame(got, expected, `instance ${turn % instances.length}`)
    return new Response(got.status === 304 ? null : got.bytes, got)
  }
}

interface Page {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

async function read(response: Response): Promise<Page> {
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status, headers, bytes: status < 400 ? bytes : withoutId(bytes) }
}

/** Returns an error without the id of its request. */
function withoutId(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return Buffer.from(String(Buffer.from(bytes)).replace(/"requestId":"[^"]*"/, '"requestId":""'))
}

function withoutTag(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.delete("if-none-match")
  return new Request(request.url, { headers })
}

function assertSame(page: Page, expected: Page, from: string): void {
  const isUnchanged = page.status === 304
  const isSame = (isUnchanged || (page.status === expected.status &&
    Buffer.compare(page.bytes, expected.bytes) === 0)) &&
    tellHeaders(page, isUnchanged) === tellHeaders(expected, isUnchanged)
  if (!isSame) {
    throw new Error(
      `${from} sends another page than is read without caches:\n${show(page)}\ninstead of\n${
        show(expected)
      }`,
    )
  }
}

/** Names of headers that two responses with the same page may differ in. */
const own = ["date", "ratelimit", "server-timing", "traceparent", "x-request-id"]
/** Names of headers that a 304 leaves out. */
const ofBody = ["content-encoding", "content-length", "content-type"]

function tellHeaders({ headers }: Page, isUnchanged = false): string {
  const ignored = isUnchanged ? [...own, ...ofBody] : own
  return JSON.stringify([...headers].filter(([name]) => !ignored.includes(name)))
}

function show(page: Page): string {
  return `${page.status} ${tellHeaders(page)} ${Buffer.from(page.bytes)}`
}
