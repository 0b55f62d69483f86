import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { createInterface } from "node:readline"
import type { Test } from "tap"
import {
  type Outcome,
  Poster,
  type PosterOptions,
} from "../../../plugins/capabilities/ping/post.ts"
import { commandOf, type Runtime } from "../runtimes.ts"
import type { Call } from "./poster-process.ts"

/** Sends a body to a URL. */
export type Post = (
  url: string,
  options?: { readonly body?: string },
) => Promise<Outcome>

/** Something that sends, in this process or another one. */
export interface TestPoster {
  readonly post: Post
  close(): Promise<void>
}

const headers = { "webhook-id": "msg_1", "user-agent": "event-export/test" }

/** Sends by this process if it is Node, and by a process of its own under Deno. */
export async function startPoster(
  t: Test,
  runtime: Runtime,
  options: PosterOptions,
): Promise<TestPoster> {
  if (runtime === "deno") {
    const { call } = await startPosterProcess(t, runtime, { options })
    return {
      post: async (url, { body = "{}" } = {}) =>
        call({ post: [url, { headers, body }] }) as Promise<Outcome>,
      close: async () => void await call({ close: true }),
    }
  }
  const poster = new Poster(options)
  t.teardown(() => poster.close())
  return {
    post: (url, { body = "{}" } = {}) => poster.post(url, { headers, body }),
    close: async () => poster.close(),
  }
}

type Unnumbered<T> = T extends unknown ? Omit<T, "number"> : never

/** Starts a process that answers calls. */
export async function startPosterProcess(t: Test, runtime: Runtime, { options, env = {} }: {
  readonly options: PosterOptions
  readonly env?: Readonly<Record<string, string>>
}) {
  const [command, ...first] = commandOf(runtime)
  const file = "test/support/ping/poster-process.ts"
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
  return { call }
}
