// Measures the pages of the console with many partners, on the embedded database and on MySQL:
// node test/bench/console.ts, or node test/bench/console.ts --database mysql --statements Overview. Try --help for more.
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { gzipSync } from "node:zlib"
import { Command, InvalidArgumentError, Option } from "commander"
import { textTable } from "../../core/cli/context.ts"
import { migrate } from "../../core/data/migrate.ts"
import { openDatabase } from "../../core/data/open.ts"
import { type Instance, startInstance } from "../../core/kernel/instance.ts"
import { createLog } from "../../core/log.ts"
import { readPlan } from "../../core/routes/plan.ts"
import { readPartnerNumbers } from "../../plugins/capabilities/partners/partner-numbers.ts"
import { recordStates } from "../../plugins/capabilities/partners/state-history/record-states.ts"
import { password } from "../support/builder.ts"
import { allStorages } from "../support/storages.ts"
import { fillConsole, kinds, size } from "./console-data.ts"
import { openBenchMysql } from "./mysql.ts"
import { median } from "./statistics.ts"
import { processorMs } from "./usage.ts"

interface Flags {
  readonly database?: "sqlite" | "mysql"
  readonly rounds: number
  readonly page?: string
  readonly cpu?: true
  readonly statements?: true
}

const flags = new Command("node test/bench/console.ts")
  .description("Measures the time of the console's pages, and their size as sent and in gzip.")
  .addOption(
    new Option("--database <name>", "measure only on this one").choices(["sqlite", "mysql"]),
  )
  .option("--rounds <number>", "turns per page", wholeNumber, 15)
  .option("--page <name>", "measure only pages whose name contains this")
  .option("--cpu", "show milliseconds of processor time: service + MySQL")
  .option("--statements", "show the milliseconds of each statement as well")
  .parse()
  .opts<Flags>()

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError("It must be a whole number above 0.")
}

if (flags.database !== "mysql") {
  const file = join(tmpdir(), `event-export-console-${process.pid}.db`)
  await measure(`sqlite:${file}`)
  for (const end of ["", "-shm", "-wal"]) rmSync(file + end, { force: true })
}
if (flags.database !== "sqlite") {
  const mysql = await openBenchMysql(new AbortController().signal)
  await measure(mysql.url, mysql.pid)
  await mysql.stop()
}
process.exit()

async function measure(url: string, server?: number): Promise<void> {
  const database = await openDatabase(url, {
    connections: 10,
    timeLimit: 60,
    storages: allStorages,
  })
  await migrate(database)
  const [event = ""] = await fillConsole(database)
  const plan = await readPlan("config/event-export.yaml", {
    DATABASE_URL: url,
    SESSION_SECRET: "a secret of the bench, 32 characters and more",
    PORT: "0",
  })
  const limits = { burst: 100_000, quota: 1_000_000, concurrent: 100, waiting: 100 }
  const statements = new Map<string, number[]>()
  const instance = await startInstance({ ...plan, limits }, {
    log: createLog("silent", { write: () => {} }),
    onStatement(text, milliseconds) {
      const times = statements.get(text) ?? []
      statements.set(text, [...times, milliseconds])
    },
  })
  const cookie = await logIn(instance)
  const read = (path: string) => async () => {
    const response = await instance.fetch(
      new Request(`http://localhost${path}`, { headers: { cookie, accept: "text/html" } }),
    )
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return await response.text()
  }
  const pages = {
    "Overview": read("/console"),
    "Partner": read("/console/partners/partner-8"),
    "Partner behind": read("/console/partners/partner-7"),
    "Events": read("/console/events"),
    "Event": read(`/console/events/${event}`),
    "Configuration": read("/console/configuration"),
    "Accounts": read("/console/accounts"),
    "Account": read("/console/accounts/partner-7"),
    "Audit": read("/console/audit"),
    "Disclosures": read("/console/disclosures"),
    "(for the metrics)": async () => {
      await readPartnerNumbers(database, { retention: plan.polling.retention })
      return ""
    },
    "(for the history)": async () => {
      // The service looks once a minute: where it comes first, this look begins again.
      do await database.writer.deleteFrom("partner_look").execute()
      while (
        !await recordStates(database, { retention: plan.polling.retention })
      )
      return ""
    },
  }
  const rows: string[][] = []
  for (const [name, page] of Object.entries(pages)) {
    if (flags.page !== undefined && !name.includes(flags.page)) continue
    const started = performance.now()
    const text = await page()
    const first = performance.now() - started
    statements.clear()
    const times: number[] = []
    const before = { own: process.cpuUsage(), server: processorMs(server) }
    for (let round = 0; round < flags.rounds; round++) {
      const started = performance.now()
      await page()
      times.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(before.own)
    const own = (user + system) / 1000 / flags.rounds
    const served = ((processorMs(server) ?? 0) - (before.server ?? 0)) / flags.rounds
    rows.push([
      name,
      ...[median(times), first, Math.max(...times)].map((each) => `${each.toFixed(1)} ms`),
      ...flags.cpu ? [`${own.toFixed(1)} + ${served.toFixed(1)} ms`] : [],
      ...[text, gzipSync(text)].map(({ length }) => `${Math.round(length / 1024)} kB`),
    ])
    if (flags.statements) printStatements(name, statements)
  }
  console.log(
    `${size.partners} partners × ${size.events} events × ${kinds.length} lists, ${database.dialect.version}\n`,
  )
  const columns = ["PAGE", "MEDIAN", "FIRST", "SLOWEST", ...flags.cpu ? ["PROCESSOR"] : []]
  console.log(textTable([[...columns, "SIZE", "GZIP"], ...rows]))
  await instance.close()
  await database.close()
}

/** Prints the median of each statement that takes a millisecond, the slowest first. */
function printStatements(page: string, statements: ReadonlyMap<string, readonly number[]>): void {
  const slowest = [...statements].map(([text, times]) => ({ text, took: median(times) }))
    .filter(({ took }) => took >= 1)
    .toSorted((a, b) => b.took - a.took)
  for (const { text, took } of slowest) {
    console.log(`${page}: ${took.toFixed(1)} ms: ${text.replaceAll(/\s+/g, " ").slice(0, 200)}`)
  }
}

async function logIn(instance: Instance): Promise<string> {
  const response = await instance.fetch(
    new Request("http://localhost/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "operator", password }),
    }),
  )
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}
