import metrics from "../../../../plugins/capabilities/metrics/capability.ts"
import { Metrics } from "../../../../plugins/capabilities/metrics/metrics.ts"
import type { Exchange } from "../exchange.ts"
import { familyPathOf } from "../received.ts"
import { Crash, Life } from "../life.ts"
import type { SimulatedService } from "../service.ts"
import { type Simulation, Violation } from "../simulation.ts"
import { owner } from "../virtual/time.ts"
import type { World } from "../world.ts"

/** The metrics of each process that was started last, without an address of their own: nothing listens in a simulation. */
const ofProcess = new WeakMap<
  SimulatedService,
  { readonly life: number; readonly metrics: Metrics }
>()

metrics.start = (host) => {
  const own = new Metrics(host)
  const life = owner.getStore()
  if (life instanceof Life) ofProcess.set(life.of, { life: life.of.lives, metrics: own })
  return {
    observe: (facts) => own.record(facts),
    tell: (event) => own.tell(event),
    serving: () => ({ fields: { admin: null }, lines: {} }),
  }
}

/** What clients of a process have counted. */
interface Tally {
  readonly life: number
  /** Requests that were sent, and those of them that got a response. */
  sent: number
  answered: number
  /** Responses by status, and by the code of their error. */
  readonly statuses: Map<string, number>
  readonly codes: Map<string, number>
  /** Bytes of pages of lists that arrived in full. */
  bytes: number
}

/** The counters that count on from one configuration to the next. */
const ofProcesses = [
  ...["requests", "rows", "problems", "log_ins", "response_bytes", "reloads", "batch_dropped"],
  ...["log_dropped", "rejected_parameters", "wakes", "pings"],
].map((name) => `_${name}_total`)

/** A sample of the text format: `name{labels}` and its value. */
type Samples = ReadonlyMap<string, number>

/** Metrics count what clients have counted, and no counter falls while its process lives. */
export default function simulate(world: World): Simulation {
  const tallies = new Map<string, Tally>()
  const last = new Map<
    string,
    { readonly life: number; readonly instance: unknown; readonly samples: Samples }
  >()
  world.onRequest(({ service, life }) => tallyOf(tallies, service, life).sent++)

  const check = async (process: SimulatedService) => {
    const { name, lives: life } = process
    const found = ofProcess.get(process)
    if (found?.life !== life) throw new Violation(`${name} has no metrics`)
    // Requests whose clients have gone end as soon as the service knows.
    const { text } = await process.run(() => found.metrics.read()).catch((error) => {
      if (error instanceof Crash) return { text: undefined }
      throw error
    })
    if (text === undefined) return
    const samples = samplesOf(text)
    const tally = tallyOf(tallies, name, life)
    const unknown = tally.sent - tally.answered
    const between = (what: string, counted: number, least: number, most: number) => {
      if (counted >= least && counted <= most) return
      throw new Violation(`${name} counts ${counted} ${what}; clients know of ${least} to ${most}`)
    }
    const requests = (label: string) => sum(samples, "event_export_requests_total", label)
    between("requests", requests(""), tally.answered, tally.sent)
    for (const [status, count] of tally.statuses) {
      const label = `status="${status}"`
      between(`requests with status ${status}`, requests(label), count, count + unknown)
    }
    for (const [code, count] of tally.codes) {
      const counted = sum(samples, "event_export_problems_total", `code="${code}"`)
      // Pages for browsers have no code.
      between(`problems ${code}`, counted, count, Infinity)
    }
    const bytes = sum(samples, "event_export_response_bytes_total", "")
    between("bytes", bytes, tally.bytes, Infinity)
    checkCounters(process, samples)
  }

  const checkCounters = ({ name, lives: life, service }: SimulatedService, samples: Samples) => {
    const before = last.get(name)
    const { instance } = service
    if (before?.life === life) {
      for (const [sample, value] of before.samples) {
        if (!/^event_export_\w+_total\b/.test(sample)) continue
        // Those of a configuration begin anew with each.
        const isOfProcess = ofProcesses.some((name) => sample.includes(name))
        if (!isOfProcess && before.instance !== instance) continue
        const now = samples.get(sample)
        if (now !== undefined && now < value) {
          throw new Violation(`${sample} of ${name} falls from ${value} to ${now}`)
        }
      }
    }
    last.set(name, { life, instance, samples })
  }

  return {
    observe(exchange) {
      const { service, life, status, body, isWhole } = exchange
      const tally = tallyOf(tallies, service, life)
      tally.answered++
      add(tally.statuses, String(status))
      const code = codeOf(exchange)
      if (code !== undefined) add(tally.codes, code)
      if (isWhole && familyPathOf(exchange)) tally.bytes += body.byteLength
    },
    invariants: [{
      name: "metrics count what clients do",
      async atRest() {
        for (const process of world.running) await check(process)
      },
    }],
  }
}

function tallyOf(tallies: Map<string, Tally>, service: string, life: number): Tally {
  const known = tallies.get(service)
  if (known?.life === life) return known
  const statuses = new Map<string, number>()
  const tally = { life, sent: 0, answered: 0, statuses, codes: new Map(), bytes: 0 }
  // An exchange with a process that has ended meanwhile is no more of interest.
  if (!known || known.life < life) tallies.set(service, tally)
  return tally
}

function codeOf({ status, headers, body, isWhole }: Exchange): string | undefined {
  if (status < 400 || !isWhole || !/problem\+json/.test(headers.get("content-type") ?? "")) {
    return undefined
  }
  if (headers.has("content-encoding")) return undefined
  return (JSON.parse(new TextDecoder().decode(body)) as { readonly code?: string }).code
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function samplesOf(text: string): Samples {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, name, value] = /^(event_export_\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, Number(value)]]
    }),
  )
}

/** Adds up the samples of a metric with a label. */
function sum(samples: Samples, metric: string, label: string): number {
  let sum = 0
  for (const [name, value] of samples) {
    if ((name === metric || name.startsWith(`${metric}{`)) && name.includes(label)) sum += value
  }
  return sum
}
