import t from "tap"
import { fixedSettings } from "../../../core/kernel/fixed-settings.ts"
import { readConfig } from "../../../core/config/read.ts"
import { settingsSchema } from "../../../core/config/settings.ts"
import { configFolder, goodConfig } from "../../support/config-folder.ts"

/** The settings of these groups that a reload changes: each instance reads them anew. */
const reloadable = ["server.time_limit", "server.drain", "server.timing", "server.waiting"]

t.test("every setting of server and admin is fixed or known to change with a reload", (t) => {
  const { server, admin } = settingsSchema.entries
  const names = [
    ...Object.keys(server.entries).map((name) => `server.${name}`),
    ...Object.keys(admin.wrapped.entries).map((name) => `admin.${name}`),
  ]
  const fixed = Object.keys(fixedSettings(readConfig(configFolder(t).write(goodConfig), {})))
  t.strictSame([...fixed, ...reloadable].sort(), names.sort())
  t.end()
})
