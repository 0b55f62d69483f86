import { setTimeout } from "node:timers/promises"
import { password } from "../../../support/builder.ts"
import { readExport } from "../../../support/export-reader.ts"
import type { Reply } from "./client.ts"
import { ProxyClient } from "./client.ts"

interface LoadOptions {
  readonly port: number
  readonly authority: string
  readonly account: string
  /** The path of a list of guests. */
  readonly guests: string
}

/** What partners of one proxy met. */
export interface Load {
  /** Responses by kind of request. */
  readonly counts: Readonly<Record<string, number>>
  /** Each request without the response that it should get. */
  readonly failures: readonly string[]
  /** Resolves when all requests have ended. */
  stop(): Promise<void>
}

/** Milliseconds between a response and the next request. */
const pause = 50

/**
 * Polls on kept and on new connections, holds a request, reads exports, and logs in and out: through a proxy, until
 * `stop`.
 */
export async function startLoad({ port, authority, account, guests }: LoadOptions): Promise<Load> {
  const kept = new ProxyClient({ port, authority, keep: true })
  const fresh = new ProxyClient({ port, authority })
  const token = await logIn(fresh, account)
  const authorization = `Bearer ${token}`
  const first = await kept.send(`${guests}?since=-1`, { headers: { authorization } })
  const nextSince = String(first.headers["next-since"])
  const get = (client: ProxyClient, path: string, headers: Record<string, string> = {}) =>
    client.send(path, { headers: { authorization, ...headers } })

  const counts: Record<string, number> = {}
  const failures: string[] = []
  const stopping = new AbortController()
  const { signal } = stopping
  const repeat = async (kind: string, work: () => Promise<void>) => {
    while (!signal.aborted) {
      const begun = performance.now()
      try {
        await work()
        counts[kind] = (counts[kind] ?? 0) + 1
      } catch (error) {
        const { message, code } = error as NodeJS.ErrnoException
        failures.push(
          `${kind} after ${Math.round(performance.now() - begun)} ms: ${code ?? message}`,
        )
      }
      await setTimeout(pause, undefined, { signal }).catch(() => {})
    }
  }
  const running = [
    repeat("poll, kept connection", async () => {
      expect(await get(kept, `${guests}?since=-1&limit=20`), 200)
    }),
    repeat("poll, new connection", async () => {
      expect(await get(fresh, `${guests}?since=-1&limit=20&offset=20`), 200)
    }),
    repeat("poll that waits", async () => {
      const path = `${guests}?since=${nextSince}`
      expect(await get(kept, path, { prefer: "wait=3" }), 200)
    }),
    repeat("export", async () => {
      const reply = await get(kept, `${guests}/export?since=-1`)
      expect(reply, 200)
      readExport(reply.body)
    }),
    repeat("log-in", async () => {
      const own = await logIn(kept, account)
      const headers = { authorization: `Bearer ${own}` }
      expect(await kept.send("/session", { method: "DELETE", headers }), 204)
    }),
  ]
  return {
    counts,
    failures,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      kept.close()
      fresh.close()
    },
  }
}

/** Returns the token of a new session. */
export async function logIn(client: ProxyClient, username: string): Promise<string> {
  const reply = await client.send("/session", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username, password }),
  })
  expect(reply, 200, 201)
  return JSON.parse(reply.body).token
}

function expect({ status, body }: Reply, ...statuses: readonly number[]): void {
  if (!statuses.includes(status)) throw new Error(`${status} ${body.slice(0, 200)}`)
}
