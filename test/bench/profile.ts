import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { textTable } from "../../core/cli/context.ts"
import type { Case } from "./cases.ts"
import { whileChanging } from "./changing.ts"
import { sendLoad } from "./load.ts"
import { requestsTo } from "./requests.ts"
import { loadOf } from "./rounds.ts"
import { startServer } from "./servers.ts"
import type { Bench } from "./set-up.ts"

/** The part of a CPU profile that this file reads. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: {
      readonly functionName: string
      readonly url: string
      readonly lineNumber: number
    }
  }[]
  readonly samples: readonly number[]
  /** Microseconds between the samples. */
  readonly timeDeltas: readonly number[]
}

const rowsShown = 25

/**
 * Writes a CPU profile of the service under the load of one case, from its start on, into `folder`.
 * Returns the path of the file.
 */
export async function profileCase(
  each: Case,
  { field, options }: Pick<Bench, "field" | "options">,
  { folder, seconds }: { readonly folder: string; readonly seconds: number },
): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const flags = ["--cpu-prof", `--cpu-prof-dir=${folder}`]
  const server = await startServer(each.cached ? "ours" : "uncached", { ...options, flags })
  try {
    const alone = { ...field, server: () => Promise.resolve(server) }
    const requests = await requestsTo("ours", each, alone)
    await whileChanging(
      { name: "ours", each, field: alone },
      (changed) => sendLoad(loadOf(each, requests, { seconds, changed }), requests.status),
    )
  } finally {
    await server.stop()
  }
  const written = readdirSync(folder).find((file) => file.includes(`.${server.pid}.`))
  if (!written) throw new Error(`Node wrote no profile of process ${server.pid} into ${folder}.`)
  const file = join(folder, `${each.name}.cpuprofile`)
  renameSync(join(folder, written), file)
  return file
}

/** Returns a table of the functions with the most self time. */
export function describeProfile(file: string): string {
  const { nodes, samples, timeDeltas }: CpuProfile = JSON.parse(readFileSync(file, "utf8"))
  const names = new Map(nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
    const place = url ? ` ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}` : ""
    return [id, `${functionName || "(anonymous)"}${place}`]
  }))
  const times = new Map<string, number>()
  let total = 0
  for (const [index, sample] of samples.entries()) {
    const name = names.get(sample) ?? ""
    const time = timeDeltas[index] ?? 0
    if (name === "(idle)") continue
    times.set(name, (times.get(name) ?? 0) + time)
    total += time
  }
  const rows = [...times].sort(([, a], [, b]) => b - a).slice(0, rowsShown)
    .map(([name, time]) => [`${(time / total * 100).toFixed(1)} %`, name])
  return textTable([["SELF", "FUNCTION"], ...rows])
}
