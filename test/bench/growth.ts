// Measures how the processor time of the service per page grows: node test/bench/growth.ts. On a new MySQL, or the
// server of TEST_MYSQL_URL. It takes about four minutes.
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { type EventName, guestCounts } from "./data.ts"
import { PageReader } from "./page-reader.ts"
import { type Field, headersFor } from "./requests.ts"
import { withBench } from "./set-up.ts"
import { processorMs } from "./usage.ts"

/** The namespaces of the projections, and who reads them. Each count polls so many of them, in turn. */
const projections = [
  { segment: "acme", shape: "full" },
  { segment: "connector-a", shape: "lean" },
  { segment: "connector-b", shape: "lean" },
] as const
const events = ["small", "tenth", "large"] as const
/** Changes per second. */
const rates = [1, 10, 100, 500] as const
const pagesPerSecond = 100
const warmUpSeconds = 1
const seconds = 4
/** The share of its changes that a writer must make; else the table says how many it made. */
const least = 0.7

/** What is measured at the same time. */
interface Cell {
  readonly event: Extract<EventName, keyof typeof guestCounts>
  /** The number of projections. */
  readonly polled: number
  readonly rate: number
}

/** Since when a page asks; each time another, so that no page is read twice. */
let since = 0

const stopping = new AbortController()
process.once("SIGINT", () => stopping.abort())
process.once("SIGTERM", () => stopping.abort())
const options = {
  events: new Set(events),
  signal: stopping.signal,
  against: undefined,
  capabilities: undefined,
}
await withBench(options, async ({ field }) => {
  const { pid } = await field.server("ours")
  const before = processorMs(pid) ?? NaN
  await sleep(1000 * seconds)
  const idle = ((processorMs(pid) ?? NaN) - before) / seconds
  const lines = []
  for (const event of events) {
    for (let polled = 1; polled <= projections.length; polled++) {
      const times = []
      for (const rate of rates) {
        stopping.signal.throwIfAborted()
        times.push(await measure({ event, polled, rate }, { field, idle }))
      }
      const row = [guestCounts[event].toLocaleString("en"), polled, ...times]
      lines.push(`| ${row.join(" | ")} |`)
      console.log(`growth: ${lines.at(-1)}`)
    }
  }
  console.log(
    `\nMilliseconds of processor time per page of 1,000 guests; ${pagesPerSecond} pages a second of an event that ` +
      `changes. Idle, the service takes ${
        idle.toFixed(1)
      } ms per second, which is not counted.\n\n` +
      `| Guests | Projections | ${
        rates.map((rate) => `${rate} change${rate > 1 ? "s" : ""}/s`).join(" | ")
      } |\n` +
      `| ---: | ---: |${" ---: |".repeat(rates.length)}\n${lines.join("\n")}`,
  )
})
process.exit()

/** Returns milliseconds per page. */
async function measure(
  cell: Cell,
  { field, idle }: { readonly field: Field; readonly idle: number },
): Promise<string> {
  const { event, rate } = cell
  const { pid } = await field.server("ours")
  const transactions = Math.min(rate, 10)
  const pace = { records: rate / transactions, interval: 1000 / transactions }
  const changes = await (await field.writer()).begin(event, pace)
  const poll = pollers(cell, { field, url: (await field.server("ours")).url })
  try {
    await poll(warmUpSeconds)
    const [from, began, count] = [processorMs(pid) ?? NaN, performance.now(), changes.count]
    const pages = await poll(seconds)
    const took = (performance.now() - began) / 1000
    const used = (processorMs(pid) ?? NaN) - from - idle * took
    const made = (changes.count - count) * pace.records / took
    const time = (used / pages).toFixed(2)
    return made < least * rate ? `${time} at ${made.toFixed(0)}/s` : time
  } finally {
    await changes.stop()
  }
}

/** Returns what polls for so many seconds, at most at the usual rate, and returns the number of pages. */
function pollers(
  { event, polled }: Cell,
  { field, url }: { readonly field: Field; readonly url: string },
): (time: number) => Promise<number> {
  const readers = projections.slice(0, polled).map(({ segment, shape }) => ({
    path: `/${segment}/v1/events/${field.data[event]}/guests?limit=1000`,
    reader: new PageReader(url, headersFor("ours", { shape }, field)),
  }))
  return async (time) => {
    const counts = await Promise.all(readers.map(async ({ path, reader }, place) => {
      const interval = 1000 * polled / pagesPerSecond
      const began = performance.now() + place * interval / polled
      let pages = 0
      for (; performance.now() - began < 1000 * time; pages++) {
        await sleep(Math.max(0, began + pages * interval - performance.now()))
        const { records } = await reader.read(`${path}&since=${since++}`)
        if (records !== 1000) throw new Error(`${path} had ${records} guests instead of 1,000.`)
      }
      return pages
    }))
    return counts.reduce((sum, count) => sum + count)
  }
}
