import { execFile } from "node:child_process"
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { packedTarball } from "../packed.ts"
import { findPrometheus } from "../../../support/prometheus/programs.ts"
import type { Engine } from "./engine.ts"

const run = promisify(execFile)
const cache = resolve(".cache/containers")

/** Builds the image of the present sources with `build-image.sh`, and returns its name. */
export async function buildImage({ name }: Engine): Promise<string> {
  const tag = "localhost/event-export-test"
  const pulls = process.env["PULL"] ? ["--public"] : []
  const args = ["config/deploy/build-image.sh", ...pulls, await packedTarball(), tag]
  await run("bash", args, { env: { ...process.env, ENGINE: name }, maxBuffer: 2 ** 26 })
  return tag
}

/** The variables of compose.yaml for images that cannot be pulled; with PULL in the environment, none. */
export async function standIns({ name }: Engine): Promise<Readonly<Record<string, string>>> {
  if (process.env["PULL"]) return {}
  mkdirSync(cache, { recursive: true })
  await findPrometheus()
  const script = resolve(import.meta.dirname, "stand-ins.sh")
  await run("bash", [script, name, cache], { maxBuffer: 2 ** 26 })
  return {
    MYSQL_IMAGE: "localhost/event-export-test-mysql",
    PROMETHEUS_IMAGE: "localhost/event-export-test-prometheus",
  }
}
