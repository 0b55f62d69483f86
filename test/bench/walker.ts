// Walks through lists page by page, by following links, as the load on standard input says. Prints the result as
// JSON. Runs in its own process, so that its cost is neither the bench's nor the server's.
import { stdin } from "node:process"
import { text } from "node:stream/consumers"
import type { LoadResult, WalkLoad } from "./load.ts"
import { PageReader } from "./page-reader.ts"

const { url, paths, headers, seconds, walk }: WalkLoad = JSON.parse(await text(stdin))

const statuses: Record<string, number> = {}
const failures: string[] = []
let responses = 0
let records = 0
let walks = 0
const began = performance.now()
const reader = new PageReader(url, headers)
do {
  await read(paths[walks++ % paths.length] ?? "/")
} while (performance.now() - began < seconds * 1000 && failures.length === 0)
const ended = performance.now()
reader.close()

const result: LoadResult = {
  responses,
  rate: records / (ended - began) * 1000,
  statuses,
  failures,
}
console.log(JSON.stringify(result))

/** Walks once. What changes while it walks may be missing: it has moved to the front. */
async function read(path: string): Promise<void> {
  const start = performance.now()
  let count = 0
  for (let next: string | undefined = path; next !== undefined;) {
    const page = await reader.read(next)
    responses++
    statuses[page.status] = (statuses[page.status] ?? 0) + 1
    count += page.records
    next = page.next
  }
  records += count
  const moved = Math.ceil(walk.changesPerSecond * ((performance.now() - start) / 1000 + 1))
  if (count > walk.records || count < walk.records - moved) {
    failures.push(`${path} led to ${count} records instead of ${walk.records}`)
  }
}
