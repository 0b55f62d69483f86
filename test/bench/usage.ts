import { readdirSync, readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

/** Linux counts processor time in ticks of 10 ms. */
const ticksPerSecond = 100

/**
 * Returns the processor time that a process and its children have used, in milliseconds. Returns
 * undefined if the system is not Linux or there is no such process.
 */
export function processorMs(pid: number | undefined): number | undefined {
  return sum(pid, (each) => {
    const stat = readFileSync(`/proc/${each}/stat`, "utf8")
    // The name in parentheses may contain spaces. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 1000 / ticksPerSecond
  })
}

/** Resolves once a process is almost idle; at once if its processor time is unknown. */
export async function untilIdle(pid: number | undefined): Promise<void> {
  const pause = 200
  for (let before = processorMs(pid);;) {
    await setTimeout(pause)
    const now = processorMs(pid)
    if (now === undefined || before === undefined || now - before < pause / 5) return
    before = now
  }
}

/** Returns the memory of a process and its children in megabytes; undefined as in `processorMs`. */
export function memoryMb(pid: number | undefined): number | undefined {
  return sum(pid, (each) => {
    const status = readFileSync(`/proc/${each}/status`, "utf8")
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
  })
}

function sum(pid: number | undefined, read: (pid: number) => number): number | undefined {
  if (pid === undefined) return undefined
  try {
    return withChildren(pid).map(read).reduce((a, b) => a + b)
  } catch {
    return undefined
  }
}

function withChildren(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean)
  )
  return [pid, ...children.flatMap((child) => withChildren(Number(child)))]
}
