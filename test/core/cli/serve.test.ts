import { readFileSync } from "node:fs"
import t from "tap"
import { secret } from "../../support/app.ts"
import { copiedUrl } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

for (const isInteractive of [true, false]) {
  const behaviour = isInteractive ? "prints a summary on a terminal" : "prints nothing elsewhere"
  t.test(`serve ${behaviour}`, async (t) => {
    const text = readFileSync("config/event-export.yaml", "utf8")
      .replace(/^log:\n( {2}.*\n)+/m, "log: { level: silent }\n")
    const file = `${t.testdir({ "config.yaml": text })}/config.yaml`
    const env = { DATABASE_URL: await copiedUrl(t, "sqlite"), SESSION_SECRET: secret, PORT: "0" }
    const outcome = await runCommand(`serve --config ${file}`, { env, isInteractive })
    t.equal(outcome.code, 0)
    const summary = [
      /^event-export serves http:\/\/127\.0\.0\.1:\d+$/,
      /^ {2}version {8}\d+\.\d+\.\d+$/,
      /^ {2}configuration {2}.*config\.yaml, [0-9a-f]{16}$/,
      /^ {2}database {7}SQLite \d/,
      /^ {2}plugins {8}session \(\d+\), .*connector-b \(\d+\)/,
    ]
    t.match(outcome.text.split("\n"), isInteractive ? summary : [""])
  })
}
