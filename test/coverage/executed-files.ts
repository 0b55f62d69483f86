import { Session } from "node:inspector/promises"
import { join, relative } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

const { PACKED: packed } = process.env

/** The folder of core and plugins. `make pack-test` runs those of the package. */
const home = packed ? join(packed, "dist") : process.cwd()

/**
 * Returns the files of core and plugins that have a function which runs during `work`, sorted.
 *
 * Counts by V8's precise coverage. What runs in the background until `work` ends is counted too.
 */
export async function filesExecutedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    // Resets the counters, so that only what follows is counted.
    await session.post("Profiler.takePreciseCoverage")
    await work()
    const { result } = await session.post("Profiler.takePreciseCoverage")
    const executed = result
      .filter(({ url, functions }) =>
        url.startsWith("file:") && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      )
      .map(({ url }) => relative(home, fileURLToPath(url)))
    return [...new Set(executed)].filter((file) => /^(core|plugins)\//.test(file)).sort()
  } finally {
    await session.post("Profiler.stopPreciseCoverage")
    session.disconnect()
  }
}
