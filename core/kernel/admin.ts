import { Buffer } from "node:buffer"
import type { Config } from "../config/read.ts"
import { type Answer, type Responder, withoutBody } from "../http/answer.ts"
import { Problem } from "../http/problems.ts"
import { type Listening, serve } from "../http/serve.ts"
import type { Log } from "../log.ts"
import type { Metrics } from "../observe/metrics/metrics.ts"

/** The endpoint of the metrics. */
interface Admin {
  /** Its URL; null while another program uses the address. */
  readonly url: string | null
  close(): Promise<void>
}

/**
 * Serves `GET /metrics` on an address of its own, without authentication.
 *
 * An address in use must not stop the service: logs it, and tries again until it is free.
 */
export async function openAdmin(
  read: Metrics["read"],
  { host, port, log, patience = 5000 }: NonNullable<Config["admin"]> & {
    readonly log: Log
    /** Milliseconds until the next attempt, if the address is in use. */
    readonly patience?: number
  },
): Promise<Admin> {
  const app = createAdminApp(read)
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

/** Makes the responder of `GET /metrics`. */
export function createAdminApp(read: Metrics["read"]): Responder {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname !== "/metrics") {
      return refuse(new Problem("not_found", "Only /metrics exists here."))
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const headers = { allow: "GET, HEAD" }
      return refuse(new Problem("method_not_allowed", "Metrics are read-only.", { headers }))
    }
    const { text, type } = await read()
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
