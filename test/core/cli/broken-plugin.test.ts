import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t from "tap"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

const folder = mkdtempSync(join(tmpdir(), "event-export-"))
t.teardown(() => rmSync(folder, { recursive: true }))
const url = await copiedUrl(t, "sqlite")
const database = await openFor(t, url)
const build = new Builder(database)
const organization = await build.organization("acme")
await build.event(organization)
await build.account("ann")
await build.account("op", "operator")
await build.grant("ann", { organization: "acme" })

writeFileSync(join(folder, "broken.ts"), "export default {")
const file = join(folder, "config.yaml")
writeFileSync(
  file,
  `server: { host: 127.0.0.1, port: 0 }
database: { url: "${url}" }
session: { secrets: ["${secret}"] }
plugins:
  - use: session
  - use: ./broken.ts
`,
)

const unaffected: Record<string, RegExp> = {
  "account revoke ann": /^The sessions of ann have ended\. Its receivers of pings, if any, are off/,
  [`account session ann --cookie-jar ${join(folder, "jar")}`]: /^ann is logged in until/,
  "account disable ann": /^ann cannot .* have ended: 1, tokens included\. Its receivers/,
  "account list": /ann +partner +disabled/,
  "access withdraw ann --organization acme": /^ann has no grant for acme/,
  "access grant ann --organization acme": /ann/,
  "access list": /^ann +organization +acme/m,
  "audit": /^TIME/,
  "migrate": /^Nothing to apply/,
}
for (const [command, out] of Object.entries(unaffected)) {
  t.test(`${command.replace(folder, "…")} works while a plugin is broken`, async (t) => {
    t.match(await runCommand(`-c ${file} ${command}`), { code: 0, out, err: "" })
  })
}

for (const command of ["check", "serve", "routes", "openapi"]) {
  t.test(`${command} refuses a broken plugin, and names its place`, async (t) => {
    t.match(await runCommand(`-c ${file} ${command}`), {
      code: 2,
      out: "",
      err: /config\.yaml:6:10: cannot use plugin \.\/broken\.ts: it does not load: /,
    })
  })
}
