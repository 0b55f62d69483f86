import { createInterface } from "node:readline"
import type { Readable } from "node:stream"

/** Reads the output of a demonstration until it serves, and returns the commands for operators that it prints. */
export async function demoLines(output: Readable): Promise<readonly string[]> {
  const lines: string[] = []
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
  createInterface({ input: output }).on("line", (line) => {
    const entry = line.startsWith("{") ? JSON.parse(line) : undefined
    if (/ --config /.test(line)) lines.push(line)
    // What it prints comes before the entry of the first request.
    if (entry?.msg === "serving") fetch(`${entry.url}/acme/v1/events`).catch(reject)
    if (entry?.msg === "request") resolve(lines)
  }).on("close", () => reject(new Error("it did not serve")))
  return await promise
}
