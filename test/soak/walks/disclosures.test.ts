import process from "node:process"
import t, { type Test } from "tap"
import type { Trigger } from "../../../core/data/dialect.ts"
import type { Observer, PageFacts } from "../../../core/request/facts.ts"
import { type Engine, freshUrl, onEveryEngine } from "../../support/database.ts"
import { openOracle, type OracleOptions, type Tally } from "./disclosures/oracle.ts"

/** Walks per database, and the most in which a fault must be found. */
const wanted = Number(process.env["DISCLOSURE_WALKS"] ?? 200)
const most = 4000

const withPage =
  (change: (page: PageFacts) => PageFacts | undefined) =>
  (observe: Observer): Observer =>
  (facts) => observe({ ...facts, pages: facts.pages.flatMap((page) => change(page) ?? []) })
const narrowed = ({ range: { from, to }, ...page }: PageFacts, less: number, more: number) => ({
  ...page,
  range: { from: from + less, to: to + more },
})
const inTriggers = (pattern: RegExp, text: string) => (trigger: Trigger): Trigger => ({
  ...trigger,
  definition: trigger.definition.replace(pattern, text),
})

/** Faults that the comparison must find. */
const faults: Readonly<Record<string, OracleOptions>> = {
  "pages by cursor are not recorded": {
    distort: withPage((page) => page.cursor === undefined ? page : undefined),
  },
  "aborted pages are not recorded": {
    distort: (observe) => (facts) => facts.whenSent((sent) => sent && observe(facts)),
  },
  "searches are not recorded": { distort: withPage((page) => page.isFiltered ? undefined : page) },
  "the lower end of a range is a second late": {
    distort: withPage((page) => page.list.hasHorizon ? page : narrowed(page, 1, 0)),
  },
  "the upper end of a range is a second early": {
    distort: withPage((page) => page.list.hasHorizon ? page : narrowed(page, 0, -1)),
  },
  "the upper end of a range of the feed is a second early": {
    distort: withPage((page) => page.feed && !page.list.hasHorizon ? narrowed(page, 0, -1) : page),
  },
  "single records are not recorded": {
    distort: (observe) => (facts) => {
      if (facts.route?.path.endsWith("/:id") !== true) observe(facts)
    },
  },
  "a page of the feed tells of deletions up to its time": {
    distort: withPage((page) => page.feed ? { ...page, nextSince: page.at + 100 } : page),
  },
  "an account counts as told by a page that was not sent in full": {
    distort: (observe) => (facts) => observe({ ...facts, whenSent: (listener) => listener(true) }),
  },
  "deletions are told up to the time of the page": {
    distort: withPage((page) => ({ ...page, nextSince: page.at + 100 })),
  },
  "a deletion keeps only when its record was inserted last": {
    alter: inTriggers(/created = (least|min)\(created, \w+\.created\)/, "created = old.created"),
  },
  "a created in the future hides the time before": {
    alter: inTriggers(/new\.created > /g, "false and new.created > "),
  },
}

t.setTimeout(20 * 60_000)
await onEveryEngine(t, async (t, engine) => {
  await t.test("the ledger names everyone who received a guest, and few others", async (t) => {
    const walks = engine === "mysql" ? Math.ceil(wanted / 4) : wanted
    const tallies = await play(t, engine, { walks })
    for (const calm of ["by cursor, at once", "by the feed"]) {
      const { more = 0, received = 0 } = tallies.get(calm) ?? {}
      t.ok(received > 0)
      t.ok(more <= received / 5, `${more} beyond ${received} ${calm}`)
    }
  })

  // The tests of findDisclosures find those of the triggers there, and the others are the same.
  if (engine === "mysql") return
  for (const [name, options] of Object.entries(faults)) {
    await t.test(`the comparison finds it if ${name}`, async (t) => {
      await t.rejects(
        play(t, engine, { ...options, walks: most }),
        /the ledger says so|does not say so/,
      )
    })
  }
})

async function play(
  t: Test,
  engine: Engine,
  { walks, ...options }: OracleOptions & { readonly walks: number },
): Promise<ReadonlyMap<string, Tally>> {
  const oracle = await openOracle(engine, await freshUrl(t, engine), options)
  const tallies = new Map<string, Tally>()
  try {
    for (let seed = 1; sum(tallies) < walks; seed++) await oracle.play(seed, tallies)
  } finally {
    await oracle.close()
  }
  return tallies
}

function sum(tallies: ReadonlyMap<string, Tally>): number {
  return [...tallies.values()].reduce((sum, { walks }) => sum + walks, 0)
}
