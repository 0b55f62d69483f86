// Sends one load and prints what came of it, as JSON: node test/bench/generator.ts '{"url": …}'
// A process of its own, so that what it costs is not the bench's, nor the server's.
import { once } from "node:events"
import { stdin } from "node:process"
import { text } from "node:stream/consumers"
import autocannon from "autocannon"
import type { Load, LoadResult } from "./load.ts"

const { url, paths, headers, cookies, connections, seconds }: Load = JSON.parse(await text(stdin))

/** Seconds that one answer may take. */
const patience = 120

const statuses: Record<string, number> = {}
const failures: string[] = []
let answers = 0
let next = 0
let clients = 0
const began = performance.now()
let ended = began
const running = autocannon({
  url,
  connections,
  // Once the time is over and each connection may have had an answer, the load is ended below.
  duration: seconds + patience,
  timeout: patience,
  // The connections take turns at the paths, so that no two ask for the same at the same time.
  setupClient(client) {
    const setupRequest = (request: autocannon.Request) => ({
      ...request,
      path: paths[next++ % paths.length] ?? "/",
    })
    const cookie = cookies?.[clients++ % cookies.length]
    const own = cookie === undefined ? headers : { ...headers, cookie }
    client.setRequests([{ method: "GET", headers: own, setupRequest }])
    // Bodies would be made text only to be thrown away, at the cost of a core that is needed.
    Object.assign(client, { pipelinedRequests: withoutBodies(client) })
  },
}, () => {})
running.on("response", (_client, status) => {
  ended = performance.now()
  statuses[status] = (statuses[status] ?? 0) + 1
  answers++
  if (ended - began >= seconds * 1000 && answers >= connections) running.stop()
})
running.on("reqError", (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message))
const [{ latency }] = await once(running, "done")
const result: LoadResult = {
  answers,
  // Up to the last answer, because what was on its way at the end has cost time and is not counted.
  rate: answers / (ended - began) * 1000,
  statuses,
  failures,
  latency: { median: latency.p50, p99: latency.p99 },
}
console.log(JSON.stringify(result))

function withoutBodies(client: unknown): object {
  const { pipelinedRequests } = client as { pipelinedRequests: object }
  return Object.assign(pipelinedRequests, { addBody: () => {} })
}
