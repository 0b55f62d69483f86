import { globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDatabase } from "../../../core/data/open.ts"
import { readPlan } from "../../../core/routes/plan.ts"
import { secret } from "../../support/app.ts"
import { allStorages } from "../../support/storages.ts"
import { Configuration } from "./configuration.ts"
import { runWorld } from "./run.ts"
import { makeTemplate } from "./world.ts"
import { loadSimulations } from "./simulations.ts"

const root = new URL("../../../", import.meta.url)

/** Modules that do something when they are loaded. */
const programs = /cli\/main|\/assets\//

/** Loads the simulation, and all modules that a service may load, also when it has run for long. */
export async function loadEverything() {
  for (const path of globSync("{core,plugins}/**/*.ts", { cwd: root }).sort()) {
    if (!programs.test(path)) await import(new URL(path, root).href)
  }
  // The only package that is loaded late: for the first reader of the reference.
  await import("@scalar/fastify-api-reference")
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    const url = `sqlite:${join(folder, "export.db")}`
    const { file } = new Configuration(join(folder, "event-export.yaml"))
    await readPlan(file, { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" })
    const options = { connections: 1, timeLimit: 10, storages: allStorages }
    await (await openDatabase(url, options)).close()
  } finally {
    rmSync(folder, { recursive: true })
  }
  return { simulations: await loadSimulations(), runWorld, makeTemplate }
}
