// Sends the load that it reads from standard input as JSON, and prints the result as JSON. Runs in its
// own process, so that its cost is neither the bench's nor the server's.
import { once } from "node:events"
import { stdin } from "node:process"
import { text } from "node:stream/consumers"
import autocannon from "autocannon"
import { atChange, type Load, type LoadResult } from "./load.ts"
import type { ChangeTime } from "./writer.ts"

const { url, paths, headers, cookies, changed, connections, seconds }: Load = JSON.parse(
  await text(stdin),
)

/** Limit of seconds per response. */
const patience = 120

const statuses: Record<string, number> = {}
const failures: string[] = []
let responses = 0
let next = 0
const began = performance.now()
let ended = began
const running = autocannon({
  url,
  connections,
  // The load is stopped below, after its time and at least one response per connection.
  duration: seconds + patience,
  timeout: patience,
  // The connections take turns at paths and sessions, so that no two have the same at the same time.
  setupClient(client) {
    const setupRequest = (request: autocannon.Request) => {
      const turn = next++
      const path = paths[turn % paths.length] ?? "/"
      const cookie = cookies?.[turn % cookies.length]
      const own = cookie === undefined ? headers : { ...headers, cookie }
      return { ...request, headers: own, path: changed ? atChange(path, newest(changed)) : path }
    }
    client.setRequests([{ method: "GET", headers, setupRequest }])
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
running.on(
  "reqError",
  (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message),
)
await once(running, "done")
const result: LoadResult = {
  responses,
  // Divides by the time until the last response: requests that were still open are not counted.
  rate: responses / (ended - began) * 1000,
  statuses,
  failures,
}
console.log(JSON.stringify(result))

function newest({ updated, at }: ChangeTime): number {
  return updated + Math.floor((Date.now() - at) / 1000)
}

function withoutBodies(client: unknown): object {
  const { pipelinedRequests } = client as { pipelinedRequests: object }
  return Object.assign(pipelinedRequests, { addBody: () => {} })
}
