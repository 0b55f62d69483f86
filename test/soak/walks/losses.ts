// Shows the records that partners lose: node test/soak/walks/losses.ts [seconds]
//
// A writer changes an event of the embedded database while partners poll it, page by page. When it
// stops, each partner polls once more, and its copy is compared with the table. The simulation has its
// own clock, on which a day passes in a second.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { textTable } from "../../../core/cli/context.ts"
import { openClocked } from "../../support/polling/clocked.ts"
import { BytesTagSource, type Design, UsualSource } from "../../support/polling/designs.ts"
import { Reader, type ReaderKind, type Source } from "../../support/polling/reader.ts"
import { Random } from "../../support/random.ts"
import { lag, ServiceSource, startClocked } from "../../support/polling/service.ts"
import { type Operation, Writer } from "../../support/polling/writer.ts"

const guests = 150
const limit = 10
const steps = 400

/** The steps without changes, but for an import: many records within a second. */
const quiet = Array.from({ length: 180 }, (_, index) => 150 + index)
const importing = quiet.slice(30, 150)

interface Partner {
  readonly name: string
  readonly kind: ReaderKind
  /** A usual design; undefined for this service. */
  readonly design?: Design
  /** True if this service's tags covered only the bytes of their page. */
  readonly bytesTags?: true
}

const usual: Design = { order: "newest first", hides: 0, lag }
const offset = (keeps: ReaderKind["keeps"]): ReaderKind => ({ by: "offset", keeps })
const partners: readonly Partner[] = [
  {
    name: "event-export, by cursor, Next-Since",
    kind: { by: "cursor", keeps: "Next-Since" },
  },
  { name: "event-export, by offset, Next-Since", kind: offset("Next-Since") },
  {
    name: "event-export, by cursor, Next-Since, tags",
    kind: { by: "cursor", keeps: "Next-Since", sendsTags: true },
  },
  {
    name: "event-export, by offset, Next-Since, tags",
    kind: { ...offset("Next-Since"), sendsTags: true },
  },
  { name: "event-export, by offset, max(updated)", kind: offset("max(updated)") },
  {
    name: "by cursor, Next-Since, tags cover one page",
    kind: { by: "cursor", keeps: "Next-Since", sendsTags: true },
    bytesTags: true,
  },
  {
    name: "oldest first, by offset, max(updated)",
    kind: offset("max(updated)"),
    design: { ...usual, order: "oldest first" },
  },
  {
    name: "by id, by offset, max(updated)",
    kind: offset("max(updated)"),
    design: { ...usual, order: "by id" },
  },
  {
    name: "newest first, by offset, positions reused",
    kind: offset("Next-Since"),
    design: usual,
  },
  {
    name: "newest first, young records hidden",
    kind: offset("max(updated)"),
    design: { ...usual, hides: lag },
  },
  {
    name: "newest first, the time of the poll, no lag",
    kind: offset("Next-Since"),
    design: { ...usual, lag: 0 },
  },
]

/** The writer's operations, each as often as it is listed. */
const operations: readonly Operation[] = [
  ...Array<Operation>(8).fill("update"),
  ...Array<Operation>(2).fill("consent"),
  ...Array<Operation>(4).fill("insert"),
  ...Array<Operation>(4).fill("delete"),
  "address",
]

interface Tally {
  trials: number
  lost: number
}

async function simulate(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  const url = `sqlite:${join(folder, "simulation.db")}`
  const world = await openClocked("sqlite", url)
  const { instances: [instance], cookies, build, organization, close } = await startClocked(
    world,
    url,
  )
  if (!instance) throw new TypeError("an instance is started")
  // Without comparing its pages, as the walk model does: this counts what partners lose.
  const app = (request: Request) => instance.app.fetch(request)
  const writer = new Writer(world, lag)
  const random = new Random(1)
  const tallies = partners.map((): Tally => ({ trials: 0, lost: 0 }))
  let trials = 0
  let records = 0

  const trial = async () => {
    world.clock.now += 1000
    const event = await build.event(organization)
    const path = `/acme/v1/events/${event}/guests`
    const service = () => new ServiceSource(app, cookies["acme-export"] ?? "", path)
    const readers = partners.map(({ kind, design, bytesTags }) => {
      const own = bytesTags ? new BytesTagSource(service()) : service()
      const source: Source = design ? new UsualSource(world, event, design) : own
      const lists = design ? ["records"] as const : ["records", "deletions"] as const
      return new Reader(source, { kind, limit, lists, bundle: false })
    })
    writer.begin(event, ["guests"])
    for (let target = 0; target < guests; target++) {
      await writer.wait(random.below(2))
      await writer.change({ operation: "insert", target, late: false })
    }
    await writer.wait(2 * lag)
    for (let step = 0; step < steps; step++) {
      const isImport = importing.includes(step)
      if (!isImport) await writer.wait(random.below(4))
      const usual = operations[random.below(operations.length)] as Operation
      const operation = isImport ? "insert" : usual
      if ((isImport || !quiet.includes(step)) && random.below(3) === 0) {
        await writer.change({ operation, target: random.below(1000), late: random.below(3) === 0 })
      }
      for (const reader of readers) if (random.below(2) === 0) await reader.read()
    }
    await writer.commit()
    for (const reader of readers) await reader.poll()
    // Hidden records become visible in the end.
    await writer.wait(10 * lag)
    for (const reader of readers) await reader.poll()

    const truth = await service().everything()
    trials++
    records += truth.length
    for (const [index, reader] of readers.entries()) {
      const wrong = truth.filter(({ id, updated }) => reader.copy.get(id)?.updated !== updated)
      const ids = new Set(truth.map(({ id }) => id))
      const undeleted = partners[index]?.design
        ? []
        : [...reader.copy.keys()].filter((id) => !ids.has(id))
      const tally = tallies[index] as Tally
      tally.lost += wrong.length + undeleted.length
      if (wrong.length + undeleted.length > 0) tally.trials++
    }
  }

  const end = performance.now() + seconds * 1000
  while (performance.now() < end) await trial()
  await close()
  await world.close()
  rmSync(folder, { recursive: true })

  console.log(`${trials} trials, each with about ${Math.round(records / trials)} guests at its end`)
  console.log(textTable([
    ["READER", "TRIALS WITH A LOSS", "RECORDS LOST OR OUTDATED"],
    ...partners.map(({ name }, index) => {
      const { trials: losing, lost } = tallies[index] as Tally
      const percent = (100 * lost / records).toFixed(2)
      return [name, `${losing} of ${trials}`, lost === 0 ? "0" : `${lost} (${percent} %)`]
    }),
  ]))
}

await simulate(Number(process.argv[2] ?? 60))
