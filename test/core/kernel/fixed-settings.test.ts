import t from "tap"
import { fixedSettings, refuseFixed } from "../../../core/kernel/fixed-settings.ts"
import { readConfig } from "../../../core/config/read.ts"
import { settingsSchema } from "../../../core/config/settings.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"

/** The settings of these groups that a reload changes: each instance reads them anew. */
const reloadable = ["time_limit", "drain", "contact"]
  .map((name) => `server.${name}`)

t.test("every setting of database is fixed, and of server fixed or known to change with a reload, and capabilities may fix theirs", async (t) => {
  const { server, database } = settingsSchema.entries
  const { url: _, replicas, ...plain } = database.entries
  const names = [
    ...Object.keys(server.entries).map((name) => `server.${name}`),
    ...Object.keys(plain).map((name) => `database.${name}`),
    ...Object.keys(replicas.wrapped.entries).map((name) => `database.replicas.${name}`),
    ...["admin.host", "admin.port", "capabilities", "demonstration.local"],
  ]
  const fixed = Object.keys(
    fixedSettings(
      await readConfig(configFolder(t).write(`${goodConfig}admin: { host: "::1", port: 1 }\n`), {}),
    ),
  )
  t.strictSame([...fixed, ...reloadable].sort(), names.sort())
})

t.test("refuseFixed names what differs, shows no URL of a database, and passes what a reload may change", async (t) => {
  const { write } = configFolder(t)
  const [before, after] = [
    await readConfig(write(goodConfig), {}),
    await readConfig(write(goodConfig.replace(/url: .*/, "url: sqlite:other.db")), {}),
  ]
  t.throws(() => refuseFixed(before, after), {
    name: "UserError",
    message: /^The file changes database\.url \(has another value\), which takes a restart\./,
  })
  refuseFixed(before, await readConfig(write(`${goodConfig}limits: { quota: 7 }\n`), {}))
  t.end()
})
