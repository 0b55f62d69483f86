import { setTimeout as sleep } from "node:timers/promises"
import { listProcesses } from "../../support/mysql/processes.ts"
import { valueOf } from "../../support/samples.ts"
import type { SingleStage } from "./single.ts"

/** Connections to MySQL that two services may keep: for reading, for writing, and for background work. */
const mostKept = 2 * (6 + 2 + 2)

/** Checks that nothing is held any more once all is quiet: connections in use, and those of old configurations. */
export async function checkRelease(
  { server, services, observations }: Pick<SingleStage, "server" | "services" | "observations">,
): Promise<void> {
  let held: string[] = []
  for (let attempt = 0; attempt < 200; attempt++) {
    held = []
    for (const service of services) {
      const samples = await service.metrics()
      for (const state of ["used", "waiting"]) {
        const count = valueOf(samples, "event_export_database_connections", { state })
        if (count !== 0) held.push(`${service.name}: ${count} reads ${state}`)
      }
    }
    const open = (await listProcesses(server)).filter(({ user }) => user === "service").length
    if (open > mostKept) held.push(`${open} connections to MySQL`)
    if (held.length === 0) return
    await sleep(100)
  }
  observations.violate(`services hold on when all is quiet: ${held.join(", ")}`)
}
