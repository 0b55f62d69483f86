import { Buffer } from "node:buffer"
import type { App } from "../../../core/request/app.ts"

type Fetch = App["fetch"]

/**
 * Returns a service that sends the requests of a path to several instances in turn, and each request for
 * records also to an instance that keeps no pages and records, without the tag. Nobody may write meanwhile.
 * Deletions are not compared: they are never kept as records.
 *
 * @throws if the status, the tag or a byte of a page differs; of a 304, the tag of the page that it is from.
 */
export function compared(instances: readonly Fetch[], withoutCaches: Fetch): Fetch {
  const turns = new Map<string, number>()
  return async (request) => {
    const { pathname } = new URL(request.url)
    const turn = turns.get(pathname) ?? 0
    turns.set(pathname, turn + 1)
    const instance = instances[turn % instances.length] as Fetch
    if (!/\/(guests|items)$/.test(pathname)) return await instance(request)
    const got = await read(await instance(request))
    const expected = await read(await withoutCaches(asTagged(request, got)))
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

/** Returns the request without its tag; after a 304, the one that the tag is of: it may have begun earlier. */
function asTagged({ url, headers: sent }: Request, { status, headers }: Page): Request {
  const tagged = new URL(url)
  const [, since] = /^"(-?\d+)\./.exec(headers.get("etag") ?? "") ?? []
  if (status === 304 && since !== undefined && tagged.searchParams.has("since")) {
    tagged.searchParams.set("since", since)
  }
  const kept = new Headers(sent)
  kept.delete("if-none-match")
  return new Request(tagged, { headers: kept })
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
const own = ["date", "ratelimit", "traceparent", "x-request-id"]
/** Names of headers that a 304 leaves out, or that depend on the `since` asked for. */
const ofBody = ["content-encoding", "content-length", "content-type", "hint", "link", "more"]

function tellHeaders({ headers }: Page, isUnchanged = false): string {
  const ignored = isUnchanged ? [...own, ...ofBody] : own
  return JSON.stringify([...headers].filter(([name]) => !ignored.includes(name)))
}

function show(page: Page): string {
  return `${page.status} ${tellHeaders(page)} ${Buffer.from(page.bytes)}`
}
