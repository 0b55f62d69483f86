import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import type { Test } from "tap"
import { main, PullError, sync } from "../../../plugins/documents/pull/pull.ts"

/** A request that the client sent. */
export interface Sent {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
}

/** Returns the answer to a request; undefined for that of a good service with one event and no records. */
export type Answers = (sent: Sent) => Response | undefined

/** The id of the event. */
export const strangeEvent = "91fa3e25-8587-44b1-a2dc-4dbe423dd19f"

/** A page of records. */
export function page(body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { headers: { "next-since": "5", ...headers } })
}

/** The last page of a feed, or one before it: records by category. */
export function feed(records: Record<string, readonly unknown[]>, next?: string): Response {
  const changes = Object.entries(records).flatMap(([category, list]) =>
    list.map((record) => ({
      list: category === "guests" ? "guests" : "items",
      category,
      id: (record as { id?: unknown } | null)?.id,
      record,
    }))
  )
  return Response.json({ changes, next: next ?? "end", more: next !== undefined })
}

/** A refusal of the service. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ status, code, detail: "A refusal.", requestId: "strange" })
  const type = { "content-type": "application/problem+json" }
  return new Response(body, { status, headers: { ...type, ...headers } })
}

/**
 * The command, in this process, with a service of any name that answers as a test likes. No request leaves the
 * process.
 */
export class StrangeService {
  answer: Answers = () => undefined
  /** The list of events. */
  events: readonly unknown[] = [{ id: strangeEvent, updated: 1 }]
  readonly sent: Sent[] = []
  /** What the command wrote as messages, with those of all runs. */
  errors = ""
  readonly folder = mkdtempSync(join(tmpdir(), "event-export-strange-"))

  constructor(t: Test) {
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      const { url, method, headers } = new Request(input, init)
      const sent = { url: new URL(url), method, headers }
      this.sent.push(sent)
      return Promise.resolve(this.answer(sent) ?? this.#usual(sent))
    }
    t.capture(process.stdout, "write", () => true)
    t.capture(process.stderr, "write", (text: string) => {
      this.errors += text
      return true
    })
    t.teardown(() => {
      globalThis.fetch = fetch
      rmSync(this.folder, { recursive: true, force: true })
    })
  }

  /** The number of log-ins. */
  get logIns(): number {
    return this.sent.filter(({ method }) => method === "POST").length
  }

  /** Runs the command. Returns its exit code. */
  async run(
    args: readonly string[] = [],
    { base = "https://export.example.org", to = `sqlite:${this.folder}/copy.db` } = {},
  ): Promise<number> {
    const environment = { EXPORT_USER: "acme-export", EXPORT_PASSWORD: "secret" }
    const all = ["--to", to, "--base", base, "--family", "/acme/v1", "--patience", "0", ...args]
    return await main(all, args.includes("--cookies") ? {} : environment)
  }

  /** Runs the library, without a copy. Returns the exit code of the command, and the ids of what it yields. */
  async sync(): Promise<{ code: number; ids: string[] }> {
    const ids: string[] = []
    try {
      const user = { user: "acme-export", password: "secret", patience: 0 }
      const changes = sync({ base: "https://export.example.org", family: "/acme/v1", ...user })
      for await (const change of changes) {
        if (change.type === "upsert" && change.list !== "events") ids.push(change.id)
      }
      return { code: 0, ids }
    } catch (error) {
      if (!(error instanceof PullError)) throw error
      this.errors += error.message
      return { code: error.exitCode, ids }
    }
  }

  #usual({ url: { pathname }, method }: Sent): Response {
    if (method === "POST") {
      return new Response(null, {
        status: 204,
        headers: { "set-cookie": "event_export_session=s; Path=/" },
      })
    }
    if (pathname.endsWith("/events")) return page(this.events)
    if (pathname.endsWith("/digest")) return refusal(404, "not_available")
    if (pathname.endsWith("/export")) return refusal(404, "not_found")
    return feed({})
  }
}
