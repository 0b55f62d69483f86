import t from "tap"
import { fixedSettings } from "../../../core/kernel/fixed-settings.ts"
import { readConfig } from "../../../core/config/read.ts"
import { settingsSchema } from "../../../core/config/settings.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"

/** The settings of these groups that a reload changes: each instance reads them anew. */
const reloadable = ["time_limit", "drain", "timing", "waiting", "contact"]
  .map((name) => `server.${name}`)

t.test("every setting of server is fixed or known to change with a reload, and capabilities may fix theirs", async (t) => {
  const { server } = settingsSchema.entries
  const names = [
    ...Object.keys(server.entries).map((name) => `server.${name}`),
    ...["admin.host", "admin.port", "capabilities"],
  ]
  const fixed = Object.keys(
    fixedSettings(
      await readConfig(configFolder(t).write(`${goodConfig}admin: { host: "::1", port: 1 }\n`), {}),
    ),
  )
  t.strictSame([...fixed, ...reloadable].sort(), names.sort())
})
