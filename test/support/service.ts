import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Test } from "tap"
import type { Database } from "../../core/data/database.ts"
import { Service, type ServiceOptions } from "../../core/kernel/service.ts"
import { secret } from "./app.ts"
import { Builder, password } from "./builder.ts"
import { scannedLog } from "./scanned-log.ts"
import { openAny } from "./open-servers.ts"
import { copiedUrl, type Engine } from "./database.ts"

/** A folder with a configuration file that a test writes and rewrites, and a database. */
export interface Workshop {
  readonly file: string
  readonly folder: string
  readonly url: string
  readonly database: Database
  readonly build: Builder
  readonly entries: Record<string, unknown>[]
  /** Writes the configuration: settings, and a list of plugins in YAML after session and status. */
  write(plugins: string, settings?: string): void
  start(options?: StartOptions): Promise<Service>
}

type StartOptions = Partial<Pick<ServiceOptions, "recorderTimes" | "changes" | "log" | "waiting">>

/** Creates a folder for a configuration, and a migrated database. Removes both after the test. */
export async function freshWorkshop(t: Test, engine: Engine = "sqlite"): Promise<Workshop> {
  return await workshopOn(t, await copiedUrl(t, engine))
}

/** Creates a folder for a configuration, for a migrated database. `replicas` is for reading from others. */
export async function workshopOn(
  t: Test,
  url: string,
  replicas?: { readonly staleness: number },
): Promise<Workshop> {
  const database = await openAny(url)
  t.teardown(() => database.close())
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "config.yaml")
  const entries: Record<string, unknown>[] = []
  return {
    file,
    folder,
    url,
    database,
    build: new Builder(database),
    entries,
    write(plugins, settings = "") {
      const own = replicas ? `, replicas: ${JSON.stringify(replicas)}` : ""
      writeFileSync(
        file,
        `server: { host: 127.0.0.1, port: 0, contact: export@example.org }
database: { url: "${url}"${own} }
session: { secrets: ["${secret}"] }
${/^cache:/m.test(settings) ? "" : "cache: { megabytes: 12 }"}
${/^admin:/m.test(settings) ? "" : "admin: { host: 127.0.0.1, port: 0 }"}
${/^connect:/m.test(settings) ? "" : "connect: {}"}
${settings}
plugins:
  - use: session
  - use: status
${plugins}
`,
      )
    },
    async start(options) {
      const log = scannedLog(t, entries)
      const service = await Service.start(file, {
        environment: {},
        log: () => log,
        recorderTimes: { every: 20 },
        ...options,
      })
      t.teardown(() => service.close())
      return service
    },
  }
}

/** Sends a request with the cookie of a session. */
export interface Get {
  (path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  readonly cookie: string
}

/** Logs in through `fetch`, and returns a function that sends requests with the session's cookie. */
export async function logInto(
  fetch: (request: Request) => Promise<Response>,
  username: string,
  origin = "http://localhost",
): Promise<Get> {
  const response = await fetch(
    new Request(`${origin}/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    }),
  )
  const [cookie = ""] = (response.headers.getSetCookie()[0] ?? "").split(";")
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(new Request(origin + path, { headers: { ...headers, cookie } }))
  return Object.assign(get, { cookie })
}
