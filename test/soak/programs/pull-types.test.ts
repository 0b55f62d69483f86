import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import t from "tap"
import { strictCompiler } from "../../support/strict-compiler.ts"

t.test("the guide's example compiles with the types of pull.mjs", (t) => {
  const guide = readFileSync("plugins/documents/docs/pages/pull.md", "utf8")
  const examples = [...guide.matchAll(/```ts\n([^`]*"\.\/pull\.mjs"[^`]*)```/g)].map(([, code]) =>
    code
  )
  t.equal(examples.length, 1)
  const given = `
    import type { Change, State } from "./pull.mjs"
    declare const state: State | undefined
    declare function save(state: State): void
    declare function apply(change: Exclude<Change, { type: "commit" }>): void
  `
  const folder = t.testdir({
    "pull.d.mts": readFileSync("plugins/documents/pull/pull.d.mts", "utf8"),
    "pull.mjs": "",
    "example.mts": given + examples[0],
    "wrong.mts": `${given} if (1) save((null as unknown as Change).state)`,
  })
  const compile = (name: string) => {
    const { status, stdout } = spawnSync(process.execPath, [...strictCompiler, join(folder, name)])
    return { status, output: String(stdout) }
  }
  t.strictSame(compile("example.mts"), { status: 0, output: "" })
  t.match(compile("wrong.mts").output, /'state' does not exist on type/)
  t.end()
})
