import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Test } from "tap"
import { secret } from "../../support/app.ts"
import { startProcess } from "./service-process.ts"
import { configFolder } from "../../support/config-folder.ts"
import { freshUrl } from "../../support/database.ts"
import { unavailablePlugin } from "../../support/prometheus/unavailable-plugin.ts"

/** A service in another process, with the addresses of its routes, of its metrics, and of its database. */
export interface Running {
  readonly url: string
  readonly metrics: string
  readonly databaseUrl: string
}

/**
 * Starts the live demonstration in another process, on a fresh embedded database, until the test ends. It has the
 * default configuration with a burst of 5, and the plugin of `unavailable-plugin.ts`.
 */
export async function liveDemonstration(t: Test): Promise<Running> {
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace(/(?<=^ {2}module: )\.\/demo\S*/m, resolve("config/demo/demonstration.ts"))
    .replace("burst: 50", "burst: 5")
  const { folder, write } = configFolder(t)
  writeFileSync(join(folder, unavailablePlugin.file), unavailablePlugin.text)
  const databaseUrl = await freshUrl(t, "sqlite")
  const environment = {
    CONFIG: write(`${text}  - use: ./${unavailablePlugin.file}\n`),
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: secret,
    PORT: "0",
    DEMO_LIVE: "true",
    DEMO_MAPPING: join(folder, "platform.yaml"),
  }
  const { url, entry } = await startProcess(t, "node", environment, ["--migrate", "--demo"])
  return { url, metrics: String(entry["admin"]), databaseUrl }
}
