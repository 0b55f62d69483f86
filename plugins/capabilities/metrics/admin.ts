import { Buffer } from "node:buffer"
import {
  type Answer,
  isHealthCheck,
  type Listening,
  type Log,
  Problem,
  type Responder,
  serve,
  withoutBody,
} from "../../../core/capability.ts"
import type { Metrics } from "./metrics.ts"

/** What the address of the metrics serves. */
interface AdminSource {
  readonly metrics: Metrics["read"]
  /** Answers health checks, as on the address for partners. */
  readonly health: Responder
}

/** The endpoint of the metrics. */
export interface Admin {
  /** Its URL; null while another program uses the address. */
  readonly url: string | null
  close(): Promise<void>
}

/**
 * Serves `GET /metrics` on an address of its own, without authentication; also `/livez` and `/readyz`,
 * which nobody who floods the address for partners can reach there.
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
  let listening: Listening | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  const open = async () => {
    try {
      listening = await serve(app, { host, port, publicUrl: undefined, log })
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

/** Makes the responder of `GET /metrics` and of health checks. */
export function createAdminApp({ metrics, health }: AdminSource): Responder {
  return async (request, peer) => {
    const { pathname } = new URL(request.url)
    if (isHealthCheck(pathname)) return await health(request, peer)
    if (pathname !== "/metrics") {
      return refuse(new Problem("not_found", "Only /metrics, /livez and /readyz exist here."))
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" }
      return refuse(new Problem("method_not_allowed", "Metrics are read-only.", { headers }))
    }
    const { text, type } = await metrics()
    const body = Buffer.from(text)
    const headers = {
      "content-type": type,
      "content-length": String(body.byteLength),
      "cache-control": "no-store",
    }
    const answer = { status: 200, headers, body }
    return request.method === "HEAD" ? withoutBody(answer) : answer
  }
}

function refuse(problem: Problem): Answer {
  return problem.toAnswer(crypto.randomUUID())
}
