import { existsSync, globSync, readFileSync } from "node:fs"
import t from "tap"
import { type Count, readCounts } from "./counts.ts"
import { findSection, rowsOf, sectionsOf } from "./document.ts"
import { limits } from "./limits.ts"
import { page, renderPage } from "./page.ts"
import { type Promised, promises } from "./promises.ts"
import { runs } from "./runs.ts"
import { threats } from "./threats.ts"

const all = Object.values(promises).flat()

t.test("each promise and each limit stands in its document, as it is quoted", (t) => {
  t.strictSame([...all, ...limits].flatMap(wrongQuotation), [])
  const said = "The kernel knows no partner."
  t.strictSame(wrongQuotation({ in: "README.md", said }), [])
  t.strictSame(wrongQuotation({ in: "README.md", said: "The kernel knows a partner." }), [
    "README.md does not say: The kernel knows a partner.",
  ])
  t.end()
})

t.test("each promise is made once, and in few words", (t) => {
  const places = all.map((each) => `${each.in}: ${each.said}`)
  t.strictSame(places.filter((place, index) => places.indexOf(place) < index), [])
  t.strictSame(places.filter((place) => place.split(" ").length > 40), [])
  t.end()
})

t.test("each test that holds a promise or a defence exists", (t) => {
  const named = [...all.map(({ by }) => by), ...Object.values(threats)]
  t.strictSame(named.flatMap(missingTests), [])
  const file = "test/architecture.test.ts"
  t.strictSame(missingTests({ [file]: "core imports no plugin" }), [])
  t.strictSame(missingTests({ [file]: ["core imports no plugin", "core names no test"] }), [
    `${file} has no test "core names no test"`,
  ])
  t.strictSame(missingTests({ "test/none.test.ts": "a" }), ["test/none.test.ts is not there"])
  t.end()
})

t.test("each page of the guide, each README and each page of the handbook has a promise", (t) => {
  const files = [
    ...globSync("{README,core/README,config/README,plugins/**/README,plugins/**/docs/pages/*}.md"),
    ...globSync("config/handbook/*.md"),
  ]
  t.ok(files.length > 50, String(files.length))
  // Their promises are the threats, and those of others.
  const others = ["config/handbook/security.md", page]
  const silent = files.filter((file) =>
    !others.includes(file) && !all.some((each) => each.in === file)
  )
  t.strictSame(silent, [])
  t.end()
})

t.test("each section of the guide that says something has a promise", (t) => {
  const sections = globSync("plugins/documents/docs/pages/*.md").sort().flatMap((file) =>
    sectionsOf(file).filter(({ text }) => /\w\./.test(text)).map(({ heading }) =>
      `${file}: ${heading}`
    )
  )
  const kept = new Set(
    all.map((each) => `${each.in}: ${findSection(each.in, each.said)?.heading}`),
  )
  t.ok(sections.length > 40, String(sections.length))
  t.strictSame(sections.filter((section) => !kept.has(section)), [])
  t.end()
})

t.test("each threat of the table has its tests, in the files that it names", (t) => {
  const rows = rowsOf("config/handbook/security.md", "Security")
  t.ok(rows.length > 40, String(rows.length))
  t.strictSame(rows.map(([threat]) => threat), Object.keys(threats))
  for (const [threat = "", , files = ""] of rows) {
    const named = [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file)
    t.strictSame(named.toSorted(), Object.keys(threats[threat] ?? {}).sort(), threat)
  }
  t.end()
})

t.test("each decision of the core has a promise", (t) => {
  const rows = rowsOf("core/README.md", "Decisions")
  t.ok(rows.length > 15, String(rows.length))
  const made = all.filter((each) => each.in === "core/README.md").map(({ said }) => said)
  const open = rows.filter((cells) =>
    !cells.some((cell) => made.some((said) => cell.includes(said)))
  )
  t.strictSame(open, [])
  t.end()
})

t.test("each run has counts of this version, and is named by a promise", (t) => {
  const counts = readCounts()
  t.strictSame(Object.keys(runs), Object.keys(counts))
  const { version } = JSON.parse(readFileSync("package.json", "utf8"))
  t.strictSame(outdated(counts, version), [], "EVIDENCE=1 before its command records them anew")
  t.strictSame(outdated(counts, "0.0.1"), Object.keys(runs))
  for (const [run, { counted }] of Object.entries(counts)) {
    t.ok(Object.values(counted).every((number) => number > 0), run)
  }
  const named = new Set(all.flatMap(({ runs = [] }) => runs))
  t.strictSame(Object.keys(runs).filter((run) => !named.has(run as keyof typeof runs)), [])
  t.end()
})

t.test("the page is what node test/evidence/write.ts writes", (t) => {
  t.equal(readFileSync(page, "utf8"), renderPage())
  t.end()
})

function wrongQuotation({ in: file, said }: Pick<Promised, "in" | "said">): string[] {
  return findSection(file, said) ? [] : [`${file} does not say: ${said}`]
}

function missingTests(by: Promised["by"]): string[] {
  return Object.entries(by).flatMap(([file, parts]) => {
    if (!existsSync(file)) return [`${file} is not there`]
    const names = namesOf(file)
    return [parts].flat().filter((part) => !names.some((name) => name.includes(part)))
      .map((part) => `${file} has no test "${part}"`)
  })
}

/**
 * Returns the names of a file's tests as its source has them, with expressions in those of a loop. If such a name is
 * nothing but a variable, the names of entries are among them.
 */
function namesOf(file: string): string[] {
  const source = readFileSync(file, "utf8")
  const calls = source.matchAll(/\.test\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|\w+,)/g)
  return [...calls].flatMap(([, text, template]) => {
    const name = text ?? template
    if (name !== undefined) return [name]
    return [...source.matchAll(/^ +"([^"]+)":/gm)].map(([, entry = ""]) => entry)
  })
}

function outdated(counts: Readonly<Record<string, Count>>, version: string): string[] {
  return Object.entries(counts).filter(([, count]) => count.version !== version).map(([run]) => run)
}
