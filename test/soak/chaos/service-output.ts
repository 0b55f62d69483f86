import type { ChildProcess } from "node:child_process"
import { execFileSync } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs"
import type { ServiceLog } from "./service-log.ts"

/** Where a service prints its log. */
export interface ServiceOutput {
  /** What the process gets as standard output. */
  open(): "pipe" | number
  /** Reads what a process prints from now on. */
  follow(child: ChildProcess): void
  /** Makes it impossible to print, until `free`. */
  block(): void
  free(): void
  /** Returns the bytes that were printed so far. */
  size(): number
  /** Reads what has not been read yet. Call it when the process has ended. */
  finish(): void
}

/** A pipe. When it is blocked, nobody reads it, and it is soon full. */
export function pipeOutput(log: ServiceLog): ServiceOutput {
  let child: ChildProcess | undefined
  let size = 0
  return {
    open: () => "pipe",
    follow(started) {
      child = started
      started.stdout?.setEncoding("utf8").on("data", (text: string) => {
        size += text.length
        log.read(text)
      })
    },
    block: () => void child?.stdout?.pause(),
    free: () => void child?.stdout?.resume(),
    size: () => size,
    finish: () => {},
  }
}

/** A file. When it is blocked, it cannot grow, as on a full disk. */
export function fileOutput(log: ServiceLog, file: string): ServiceOutput {
  let child: ChildProcess | undefined
  let descriptor = -1
  let read = 0
  const limit = (size: number | "unlimited") => {
    execFileSync("/usr/bin/prlimit", [`--pid=${child?.pid}`, `--fsize=${size}:`])
  }
  const sizeNow = () => statSync(file).size
  return {
    open: () => descriptor = openSync(file, "a"),
    follow(started) {
      child = started
      closeSync(descriptor)
    },
    block: () => limit(sizeNow()),
    free: () => limit("unlimited"),
    size: sizeNow,
    finish() {
      const text = readFileSync(file).subarray(read).toString()
      read = sizeNow()
      log.read(text)
    },
  }
}

/** True if this machine can make a file that a process prints to stop growing. */
export const canLimitFiles = existsSync("/usr/bin/prlimit")
