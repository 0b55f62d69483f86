import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import type { Test } from "tap"
import type { PosterOptions, PostOutcome } from "../../../plugins/capabilities/ping/post.ts"
import { commandOf, type Runtime } from "../../support/runtimes.ts"
import { ownHeaders, type TestPoster } from "../../support/ping/posting.ts"
import type { Call } from "./poster-process.ts"

type Unnumbered<T> = T extends unknown ? Omit<T, "number"> : never

/** Starts a process that sends, and answers other calls as well. */
export function startPosterProcess(t: Test, runtime: Runtime, { options, env = {} }: {
  readonly options: PosterOptions
  readonly env?: Readonly<Record<string, string>>
}): TestPoster & { call(call: Unnumbered<Call>): Promise<unknown> } {
  const [command, ...first] = commandOf(runtime)
  const file = "test/soak/support/poster-process.ts"
  const child = spawn(command, [...first, file, JSON.stringify(options)], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  })
  const closed = once(child, "close")
  const waiting = new Map<number, (result: unknown) => void>()
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { number, result } = JSON.parse(line)
    waiting.get(number)?.(result)
    waiting.delete(number)
  })
  t.teardown(async () => {
    child.stdin.end()
    await closed
  })
  let last = 0
  const call = (call: Unnumbered<Call>): Promise<unknown> => {
    const number = ++last
    child.stdin.write(`${JSON.stringify({ ...call, number })}\n`)
    return new Promise((resolve) => waiting.set(number, resolve))
  }
  return {
    call,
    post: async (url, body = "{}") =>
      await call({ post: [url, { headers: ownHeaders, body }] }) as PostOutcome,
    close: () => call({ close: true }),
  }
}
