import { setTimeout } from "node:timers/promises"
import { password } from "../../../support/builder.ts"
import { readExport } from "../../../support/export-reader.ts"
import { ProxyClient } from "./client.ts"

/** Milliseconds between a response and the next request. */
const pause = 50

/**
 * Polls on kept and on new connections, holds a request, reads exports, and logs in and out: through a proxy, until
 * the function that it returns is called. This rejects if a request did not get the response that it should get, and
 * resolves with the number of requests of each kind.
 */
export async function startLoad(
  to: { readonly port: number; readonly authority: string },
  { account, guests }: { readonly account: string; readonly guests: string },
): Promise<() => Promise<Readonly<Record<string, number>>>> {
  const [kept, fresh] = [new ProxyClient({ ...to, keep: true }), new ProxyClient(to)]
  const authorization = `Bearer ${await logIn(fresh, account)}`
  const get = async (client: ProxyClient, query: string, headers: Record<string, string> = {}) => {
    const reply = await client.send(guests + query, { headers: { authorization, ...headers } })
    if (reply.status !== 200) throw new Error(`${query}: ${reply.status} ${reply.body}`)
    return reply
  }
  const { headers: { "next-since": nextSince } } = await get(kept, "?since=-1")
  const kinds = {
    "poll, kept connection": () => get(kept, "?since=-1&limit=20"),
    "poll, new connection": () => get(fresh, "?since=-1&limit=20&offset=20"),
    "poll that waits": () => get(kept, `?since=${nextSince}`, { prefer: "wait=3" }),
    export: async () => readExport((await get(kept, "/export?since=-1")).body),
    "log-in": async () => {
      const own = { authorization: `Bearer ${await logIn(kept, account)}` }
      const { status } = await kept.send("/session", { method: "DELETE", headers: own })
      if (status !== 204) throw new Error(`log-out: ${status}`)
    },
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const counts: Record<string, number> = {}
  const running = Promise.all(
    Object.entries(kinds).map(async ([kind, send]) => {
      while (!signal.aborted) {
        await send()
        counts[kind] = (counts[kind] ?? 0) + 1
        await setTimeout(pause, undefined, { signal }).catch(() => {})
      }
    }),
  )
  running.catch(() => stopping.abort())
  return async () => {
    stopping.abort()
    await running
    for (const client of [kept, fresh]) client.close()
    return counts
  }
}

/** Returns the token of a new session. */
export async function logIn(client: ProxyClient, username: string): Promise<string> {
  const { status, body } = await client.send("/session", {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username, password }),
  })
  if (status >= 300) throw new Error(`log-in: ${status} ${body}`)
  return JSON.parse(body).token
}
