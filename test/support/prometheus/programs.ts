import { spawnSync } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { unpackedFolder } from "../debian/unpack.ts"

/** The programs of Prometheus: names on PATH, or paths. */
export interface PrometheusPrograms {
  readonly prometheus: string
  readonly promtool: string
}

/**
 * Finds Prometheus: PROMETHEUS and PROMTOOL, those on PATH, or those of Debian's package, which is unpacked
 * into .cache, once. Rejects with a short reason if there are none.
 */
export async function findPrometheus(): Promise<PrometheusPrograms> {
  const named = {
    prometheus: process.env["PROMETHEUS"] ?? "prometheus",
    promtool: process.env["PROMTOOL"] ?? "promtool",
  }
  if (Object.values(named).every(runs)) return named
  const folder = await unpackedFolder({
    name: "prometheus",
    packages: ["prometheus"],
    without: unused,
  })
  const unpacked = {
    prometheus: join(folder, "usr/bin/prometheus"),
    promtool: join(folder, "usr/bin/promtool"),
  }
  const broken = Object.values(unpacked).filter((program) => !runs(program))
  if (broken.length > 0) throw new Error(`${broken.join(" and ")} cannot be run here`)
  return unpacked
}

/** Finds amtool: AMTOOL, the one on PATH, or that of Debian's package. Rejects with a short reason if there is none. */
export async function findAmtool(): Promise<string> {
  const named = process.env["AMTOOL"] ?? "amtool"
  if (runs(named)) return named
  const folder = await unpackedFolder({
    name: "alertmanager",
    packages: ["prometheus-alertmanager"],
    without: unused,
  })
  const unpacked = join(folder, "usr/bin/amtool")
  if (!runs(unpacked)) throw new Error(`${unpacked} cannot be run here`)
  return unpacked
}

/** The package's dependencies that only its old web pages and its service script need. */
const unused = [
  "adduser",
  "daemon",
  "fonts-glyphicons-halflings",
  "init-system-helpers",
  "libjs-bootstrap4",
  "libjs-eonasdan-bootstrap-datetimepicker",
  "libjs-jquery",
  "libjs-jquery-hotkeys",
  "libjs-moment",
  "libjs-moment-timezone",
  "libjs-mustache",
  "libjs-popper.js",
  "libjs-rickshaw",
  "lsb-base",
  "tzdata",
]

function runs(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0
}
