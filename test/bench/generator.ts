// Sends the load that it reads from standard input as JSON, and prints the result as JSON. Runs in its
// own process, so that its cost is neither the bench's nor the server's.
import { once } from "node:events"
import { stdin } from "node:process"
import { text } from "node:stream/consumers"
import autocannon from "autocannon"
import type { Load, LoadResult } from "./load.ts"

const { url, paths, headers, cookies, connections, seconds }: Load = JSON.parse(await text(stdin))

/** Limit of seconds per response. */
const patience = 120

const statuses: Record<string, number> = {}
const failures: string[] = []
let responses = 0
let next = 0
let clients = 0
const began = performance.now()
let ended = began
const running = autocannon({
  url,
  connections,
  // The load is stopped below, after its time and at least one response per connection.
  duration: seconds + patience,
  timeout: patience,
  // The connections take turns at the paths, so that no two request the same path at the same time.
  setupClient(client) {
    const setupRequest = (request: autocannon.Request) => ({
      ...request,
      path: paths[next++ % paths.length] ?? "/",
    })
    const cookie = cookies?.[clients++ % cookies.length]
    const own = cookie === undefined ? headers : { ...headers, cookie }
    client.setRequests([{ method: "GET", headers: own, setupRequest }])
    // Skips decoding bodies that nobody reads: it would cost a core that the servers need.
    Object.assign(client, { pipelinedRequests: withoutBodies(client) })
  },
}, () => {})
running.on("response", (_client, status) => {
  ended = performance.now()
  statuses[status] = (statuses[status] ?? 0) + 1
  responses++
  if (ended - began >= seconds * 1000 && responses >= connections) running.stop()
})
running.on("reqError", (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message))
const [{ latency }] = await once(running, "done")
const result: LoadResult = {
  responses,
  // Divides by the time until the last response: requests that were still open are not counted.
  rate: responses / (ended - began) * 1000,
  statuses,
  failures,
  latency: { median: latency.p50, p99: latency.p99 },
}
console.log(JSON.stringify(result))

function withoutBodies(client: unknown): object {
  const { pipelinedRequests } = client as { pipelinedRequests: object }
  return Object.assign(pipelinedRequests, { addBody: () => {} })
}
