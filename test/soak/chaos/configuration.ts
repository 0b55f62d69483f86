import { writeFileSync } from "node:fs"

/** Seconds that the database may take for a request: `database.time_limit`. */
export const timeLimit = 2

/** The configuration file of a service. */
export interface ConfigurationFile {
  readonly file: string
  readonly port: number
  readonly adminPort: number
  readonly databaseUrl: string
  readonly secret: string
  /** `server.drain`. */
  readonly drain?: number
  /** `database.time_limit`. */
  readonly limit?: number
  /** `database.replicas.staleness`; without it, only one server is read from. */
  readonly staleness?: number
  /** `connect.mapping`; null leaves the group out, which versions before 2.0 do not know. */
  readonly mapping?: string | null
}

/** Ways to break a configuration. Each is refused, and the old configuration stays in force. */
export const mistakes: readonly ((text: string) => string)[] = [
  (text) => text.replace("polling:", "poling:"),
  (text) => text.replace("plugins:", "plugins: ["),
  (text) => text.replace("use: custom-export", "use: no-such-plugin"),
  (text) => text.replace("organizations: [acme]", "organizations: acme"),
  (text) => text.replace("retention: ", "retention: -"),
  () => "",
]

/** Writes a configuration that is right, unless `change` breaks it. */
export function writeConfiguration(
  { file, port, adminPort, databaseUrl, secret, drain = 0, limit = timeLimit, staleness, mapping }:
    ConfigurationFile,
  change = (text: string) => text,
): void {
  const replicas = staleness === undefined ? "" : `, replicas: { staleness: ${staleness} }`
  const connect = mapping === null
    ? ""
    : mapping === undefined
    ? "connect: {}"
    : `connect: { mapping: "${mapping}" }`
  const text = `server: { host: 127.0.0.1, port: ${port}, drain: ${drain} }
admin: { host: 127.0.0.1, port: ${adminPort} }
database: { url: "${databaseUrl}", connections: 6, time_limit: ${limit}${replicas} }
session: { secrets: ["${secret}"] }
polling: { retention: 1 }
limits: { burst: 1000000, quota: 1000000000, concurrent: 100 }
log: { level: info }
${connect}
plugins:
  - use: session
  - use: health
  - use: custom-export
    with:
      customers: [{ namespace: acme, organization: acme, service_user: acme-export }]
  - use: connector-a
    with: { segment: connector-a, organizations: [acme] }
  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }
`
  writeFileSync(file, change(text))
}
