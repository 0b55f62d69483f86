import { spawnSync, type SpawnSyncReturns } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import t, { type Test } from "tap"
import { blocksOf } from "../../support/documents.ts"
import { attacks, textsWith } from "../../support/generated-texts.ts"

t.setTimeout(20 * 60_000)

const texts = await Promise.all(attacks.map(textsWith))

/** Runs a text by a shell whose other programs do nothing. Returns true if it made the file. */
function isOwned(t: Test, text: string): { owned: boolean; run: SpawnSyncReturns<string> } {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const programs = join(folder, "programs")
  mkdirSync(programs)
  for (const name of ["curl", "node", "npx", "python3", "event-export"]) {
    writeFileSync(join(programs, name), "#!/bin/sh\nexit 7\n")
    chmodSync(join(programs, name), 0o755)
  }
  const place = join(folder, "place")
  mkdirSync(place)
  const run = spawnSync("sh", ["-s"], {
    cwd: place,
    input: text,
    encoding: "utf8",
    env: {
      PATH: `${programs}${delimiter}/usr/bin${delimiter}/bin`,
      EXPORT_PASSWORD: "x",
      EXPORT_TOKEN: "x",
      TOKEN: "x",
    },
    timeout: 20_000,
  })
  return { owned: existsSync(join(place, "owned")), run }
}

t.test("shell programs and lines to paste run nothing that is in a name", (t) => {
  t.ok(isOwned(t, "EVENT=${1:-$(touch owned)}").owned, "it would be noticed")
  const lines = texts.map((texts) => blocksOf(texts.get("guide.md") ?? "", "sh").join("\n"))
  const programs = texts.map((texts) => texts.get("feed.sh") ?? "")
  for (const text of new Set([...lines, ...programs])) {
    const { owned, run } = isOwned(t, text)
    t.notOk(owned, text.slice(0, 500))
    t.notMatch(run.stderr, /syntax error|unterminated/i)
  }
  t.end()
})

t.test("Python programs with any name can be read, and call nothing that is in it", {
  skip: spawnSync("python3", ["--version"]).status !== 0 && "there is no python3",
}, (t) => {
  const check = `
import ast, json, sys
for text in json.load(sys.stdin):
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    print(any("owned" in ast.dump(call.func) or any(isinstance(each, ast.Constant) and each.value == "owned" for each in call.args) for call in calls))
`
  const programs = texts.flatMap((texts) =>
    [...texts].filter(([file]) => file.endsWith(".py")).map(([, text]) => text)
  )
  const noticed = 'x = ("");open("owned", "w");("")'
  const { stdout, stderr } = spawnSync("python3", ["-c", check], {
    input: JSON.stringify([noticed, ...programs]),
    encoding: "utf8",
  })
  t.strictSame(stdout.trim().split("\n"), ["True", ...programs.map(() => "False")], stderr)
  t.end()
})
