import { globSync, readFileSync } from "node:fs"
import { sql } from "kysely"
import t from "tap"
import { problems } from "../../../core/http/problems.ts"
import { sectionFor, sectionOf } from "../../../plugins/capabilities/partners/handbook-sections.ts"
import { worstFirst, worstLists } from "../../../plugins/capabilities/partners/definitions.ts"
import { alerts } from "../../support/prometheus/monitoring.ts"
import { freshDatabase, withoutMysql } from "../../support/database.ts"
import { blocksOf, isBroken, proseOf, settings, wrongIn } from "../../support/documents.ts"

const pages = new Map(
  ["README.md", "config/README.md", ...globSync("config/handbook/*.md").sort()]
    .map((file) => [file, readFileSync(file, "utf8")]),
)

t.test("each command of the handbook is one of the program, with its options", (t) => {
  let count = 0
  for (const [file, text] of pages) {
    const shell = blocksOf(text, "sh").flatMap((code) => code.replaceAll("\\\n", " ").split("\n"))
    const inline = [...proseOf(text).matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
    for (const [lines, isMention] of [[shell, false], [inline, true]] as const) {
      for (const line of lines) {
        const [, rest] = /^(?:\w+=\S* )*(?:npx --package \S+ )?event-export (.*)$/.exec(line) ?? []
        if (rest === undefined) continue
        count++
        const [command = ""] = rest.split(/\s(?:[#>|<]|&&)/)
        t.strictSame(wrongIn(command, { isMention }), [], `${file}: ${line}`)
      }
    }
  }
  t.ok(count > 50)
  t.strictSame(wrongIn("acount list", { isMention: true }), ["event-export takes no acount list"])
  t.strictSame(wrongIn("resync --now", { isMention: false }), ["resync has no option --now"])
  t.strictSame(wrongIn("account revoke", { isMention: false }), [
    "account revoke lacks an argument",
  ])
  t.end()
})

t.test("each setting that the handbook names exists", (t) => {
  const names = settings
  const groups = new Set(names.map((name) => name.split(".")[0]).filter((name) => name !== "watch"))
  const isKnown = (name: string) =>
    names.some((each) => each === name || each.startsWith(`${name}.`))
  for (const [file, text] of pages) {
    const named = [...proseOf(text).matchAll(/`([a-z_]+(?:\.[a-z_]+)+)(?:: [^`]*)?`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => groups.has(name.split(".")[0] ?? "") && !/\.(md|ts|js|db)$/.test(name))
    t.strictSame(named.filter((name) => !isKnown(name)), [], file)
  }
  t.notOk(isKnown("server.prot"))
  t.end()
})

t.test("each alert leads to its section of the handbook, as the hub does from the alert", async (t) => {
  const rows = (pages.get("config/README.md") ?? "").split("\n")
  for (const { alert, annotations: { runbook_url } } of alerts) {
    const [, page, section] = /\/handbook\/(\w+)\?section=([\w-]+)$/.exec(runbook_url) ?? []
    const target = `handbook/${page}.md#${section}`
    t.notOk(isBroken("config/README.md", target), alert)
    const row = rows.find((line) => line.includes(`\`${alert}\``)) ?? ""
    t.ok(row.includes(`(${target})`), `${alert} in config/README.md`)
  }
})

t.test("each state and each error of a partner leads to a section of the incidents", async (t) => {
  const states = [...worstFirst, ...worstLists].map((name) => [name, sectionOf(name)] as const)
  const errors = Object.entries(problems).map(([code, { status }]) =>
    [code, sectionFor({ status, code })] as const
  )
  for (const [name, section] of [...states, ...errors]) {
    t.notOk(isBroken("config/handbook/x.md", `incidents.md#${section}`), name)
  }
})

t.test(
  "each statement of the handbook is one that MySQL understands, on tables and columns that exist",
  {
    skip: withoutMysql,
  },
  async (t) => {
    const { writer } = await freshDatabase(t, "mysql")
    let count = 0
    await writer.connection().execute(async (db) => {
      for (const [file, text] of pages) {
        for (const statement of blocksOf(text, "sql").flatMap((code) => code.split(";"))) {
          // MySQL prepares anything else.
          if (["", "start transaction"].includes(statement.trim())) continue
          count++
          const prepared = sql`prepare statement from ${sql.lit(statement)}`.execute(db)
          await t.resolves(prepared, `${file}: ${statement.trim()}`)
        }
      }
      const wrong = sql`prepare statement from 'select firstname from guest'`.execute(db)
      await t.rejects(wrong, /Unknown column/)
    })
    t.ok(count > 15)
  },
)
