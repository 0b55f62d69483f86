import { once } from "node:events"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Test } from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { generousSettings, secret } from "../../../support/app.ts"
import { type LogEntries, startProcess } from "../service-process.ts"
import { Builder } from "../../../support/builder.ts"
import { configFolder } from "../../../support/config-folder.ts"
import { freshUrl, openFor, withoutMysql } from "../../../support/database.ts"
import { findStablePort } from "../../../support/stable-port.ts"
import { publicName } from "./start-proxy.ts"

type Process = Awaited<ReturnType<typeof startProcess>>

/** Two processes of the service on one database, configured for a proxy on this machine. */
export interface TwoServices {
  readonly ports: readonly [number, number]
  readonly account: string
  /** The path of a list of guests that the account may read. */
  readonly guests: string
  /** The log entries of the two. */
  entries(): LogEntries
  /** Returns true if a process has logged a request, by its id. */
  answered(index: 0 | 1, requestId: string): boolean
  /** Ends a process by a signal, and waits until it has. */
  end(index: 0 | 1, signal: NodeJS.Signals): Promise<void>
  /** Starts it again. */
  start(index: 0 | 1): Promise<void>
}

/** Starts two processes of the service, and ends them after the test. */
export async function startTwoServices(
  t: Test,
  { guests, drain }: { readonly guests: number; readonly drain: number },
): Promise<TwoServices> {
  const url = await freshUrl(t, withoutMysql ? "sqlite" : "mysql")
  const account = "acme-export"
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, guests)
  await build.account(account, "service")
  await build.grant(account, { event })
  const config = writeConfig(t, drain)
  const ports = [await findStablePort(), await findStablePort()] as const
  const processes: Process[] = []
  const start = async (index: 0 | 1) => {
    processes[index] = await startProcess(t, "node", {
      ...{ CONFIG: config, DATABASE_URL: url, SESSION_SECRET: secret },
      PORT: String(ports[index]),
    })
  }
  await Promise.all([start(0), start(1)])
  return {
    ports,
    account,
    guests: `/acme/v1/events/${event}/guests`,
    entries: () => processes.flatMap(({ entries }) => entries),
    answered: (index, requestId) =>
      processes[index]?.entries.some(({ id }) => id === requestId) ?? false,
    start,
    async end(index, signal) {
      const { child } = processes[index] as Process
      const ended = once(child, "exit")
      child.kill(signal)
      await ended
    },
  }
}

/** Writes the default configuration with what handbook/proxies.md says, and returns its path. */
function writeConfig(t: Test, drain: number): string {
  const changes: [RegExp, string][] = [
    [/# public_url: .*/, `public_url: https://${publicName}`],
    [/trust_proxy: \[\]/, "trust_proxy: [127.0.0.1/32]"],
    [/drain: 0/, `drain: ${drain}`],
    [/module: .*/, `module: ${resolve("config/demo")}`],
    [/(?<=^export:[^]*)connections: 4/m, "connections: 20\n  concurrent_per_account: 20"],
    ...Object.entries(generousSettings).map(([name, value]): [RegExp, string] => [
      new RegExp(`^  ${name}: \\d+$`, "m"),
      `  ${name}: ${value}`,
    ]),
  ]
  const text = changes.reduce((text, [from, to]) => {
    if (!from.test(text)) throw new Error(`the default configuration has no ${from}`)
    return text.replace(from, to)
  }, readFileSync("config/event-export.yaml", "utf8"))
  return configFolder(t).write(text)
}
