import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

/** Linux counts processor time in ticks of 10 ms. */
const tickMs = 10
const pauseMs = 200

/** Resolves once a process is almost idle; at once if its processor time is unknown. */
export async function untilIdle(pid: number | undefined): Promise<void> {
  for (let before = processorMs(pid);;) {
    await setTimeout(pauseMs)
    const now = processorMs(pid)
    if (now === undefined || before === undefined || now - before < pauseMs / 5) return
    before = now
  }
}

/** Returns undefined if the system is not Linux or there is no such process. */
function processorMs(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    return undefined
  }
}
