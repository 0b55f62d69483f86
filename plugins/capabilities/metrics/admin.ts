import { type Log, type RunningService } from "../../../core/capability.ts"
import { Problem } from "../../../core/plugin.ts"
import type { Metrics } from "./metrics.ts"

/** What the address of the metrics serves. */
interface AdminSource {
  readonly metrics: Metrics["read"]
  /** Answers health checks, as on the address for partners. */
  readonly health: RunningService["fetch"]
  readonly listen: RunningService["listen"]
}

/** The endpoint of the metrics. */
export interface Admin {
  /** Its URL; null while another program uses the address. */
  readonly url: string | null
  close(): Promise<void>
}

/**
 * Serves `GET /metrics` on an address of its own, without authentication; also `/livez` and `/readyz`, which a flood of the
 * address for partners does not reach there.
 *
 * An address in use must not stop the service: logs it, and tries again until it is free.
 */
export async function openAdmin(
  source: AdminSource,
  { host, port, log, patience = 5000 }: {
    readonly host: string
    readonly port: number
    readonly log: Log
    /** Milliseconds until the next attempt, if the address is in use. */
    readonly patience?: number
  },
): Promise<Admin> {
  const app = createAdminApp(source)
  let listening: Awaited<ReturnType<RunningService["listen"]>> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const open = async () => {
    try {
      listening = await source.listen({ host, port }, app)
    } catch (error) {
      const message = "cannot listen on the address of the metrics; trying again"
      log.error({ host, port, error }, message)
      again = setTimeout(() => void open(), patience).unref()
    }
  }
  await open()
  return {
    get url() {
      return listening?.url ?? null
    },
    async close() {
      clearTimeout(again)
      await listening?.close()
    },
  }
}

/** Returns the handler of `GET /metrics` and of health checks. */
export function createAdminApp(
  { metrics, health }: Omit<AdminSource, "listen">,
): RunningService["fetch"] {
  return async (request, peer) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/livez" || pathname === "/readyz") return await health(request, peer)
    if (pathname !== "/metrics") {
      return refuse(new Problem("not_found", "Only /metrics, /livez and /readyz exist here."))
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" }
      return refuse(new Problem("method_not_allowed", "Metrics are read-only.", { headers }))
    }
    const { text, type } = await metrics()
    const headers = {
      "content-type": type,
      "content-length": String(new TextEncoder().encode(text).byteLength),
      "cache-control": "no-store",
    }
    return new Response(request.method === "HEAD" ? null : text, { headers })
  }
}

function refuse(problem: Problem): Response {
  const { status, headers, body } = problem.toAnswer(crypto.randomUUID())
  return new Response(body, { status, headers })
}
