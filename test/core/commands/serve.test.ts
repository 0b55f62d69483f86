import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import t, { type Test } from "tap"
import { runProgram } from "../../../core/commands/program.ts"
import { secret, startProcess } from "../../support/app.ts"
import { freshUrl, openFor } from "../../support/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { runtimes, withoutRuntime } from "../../support/runtimes.ts"

/** The default configuration with another `log`. */
function configWith(t: Test, log: string): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "config.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
  writeFileSync(file, text.replace(/^log:\n( {2}.*\n)+/m, `log: ${log}\n`))
  return file
}

async function environmentOf(t: Test): Promise<Record<string, string>> {
  const url = await freshUrl(t, "sqlite")
  await migrate(await openFor(t, url))
  return { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }
}

for (const isInteractive of [true, false]) {
  const what = isInteractive ? "prints a summary on a terminal" : "prints nothing elsewhere"
  t.test(`serve ${what}`, async (t) => {
    const lines: string[] = []
    const code = await runProgram(["serve", "--config", configWith(t, "{ level: silent }")], {
      env: await environmentOf(t),
      stdin: Readable.from([]),
      print: (line) => lines.push(line),
      warn: (line) => lines.push(line),
      shutdown: AbortSignal.abort(),
      isInteractive,
      onHangUp: () => {},
    })
    t.equal(code, 0)
    const summary = [
      /^event-export serves http:\/\/127\.0\.0\.1:\d+$/,
      /^ {2}configuration {2}.*config\.yaml, [0-9a-f]{16}$/,
      /^ {2}database {7}SQLite \d/,
      /^ {2}plugins {8}session \(3\), .*connector-b \(\d+\)/,
    ]
    t.match(lines.join("\n").split("\n"), isInteractive ? summary : [""])
  })
}

for (const runtime of runtimes) {
  t.test(`serve on ${runtime} logs what it serves as JSON where there is no terminal`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { entry } = await startProcess(t, runtime, await environmentOf(t))
    t.match(entry, {
      msg: "serving",
      url: /^http:/,
      database: /^SQLite/,
      config: { file: "config/event-export.yaml", hash: /^[0-9a-f]{16}$/ },
      plugins: { session: 3 },
    })
  })
}
