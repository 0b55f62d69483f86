import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"
import type { Test } from "tap"

/** A span, as OTLP sends it. */
export interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
  readonly status: { code?: number }
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span["attributes"] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

/** Opens a collector of OTLP over HTTP until the end of the test. Its arrays grow with what it gets. */
export async function openCollector(t: Test) {
  const spans: Span[] = []
  const services: unknown[] = []
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`)
    const { resourceSpans } = await json(request) as Body
    for (const { resource, scopeSpans } of resourceSpans) {
      services.push(attributesOf(resource)["service.name"])
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    response.setHeader("content-type", "application/json")
    response.end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, services, paths }
}

/** Returns attributes by their names. */
export function attributesOf({ attributes }: Pick<Span, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
