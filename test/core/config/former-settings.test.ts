import t from "tap"
import { readConfig } from "../../../core/config/read.ts"
import { configFolder, goodConfig, goodSecret, problemsOf } from "../../support/config-folder.ts"

/** All settings that version 1.2.0 had, each with another value than its default. */
const former = `
server:
  host: 0.0.0.0
  port: 81
  time_limit: 31
  trust_proxy: [10.0.0.0/8]
  host_names: [a.example]
  connections: 1001
  connections_per_address: 201
  waiting: 501
  reuse_port: true
  drain: 1
  timing: all
  public_url: https://export.example.org
admin: { host: "::1", port: 9465 }
database:
  url: mysql://localhost/test
  connections: 11
  time_limit: 11
  own_triggers: true
  replicas: { staleness: 11, hosts: [db4] }
session: { secrets: [${goodSecret}], lifetime: 43201, idle: 604801, cookie: other }
polling: { lag: 31, retention: 91, wait: 51, intervals: { running: 61, upcoming: 901, closed: 86401 } }
log: { level: debug, format: pretty }
limits: { burst: 51, quota: 36001, concurrent: 5, waiting: 101 }
accounts: { ann: { burst: 52, quota: 36002, concurrent: 6, waiting: 102, poll_interval: 62 } }
export: { records: 1000001, seconds: 121, concurrent: 5, concurrent_per_account: 3 }
cache: { pages: 65, records: 129 }
audit: { retention: 366, required: true }
disclosures: { retention: 2191, overdue: 8 }
watch: true
demonstration: { module: ./demo, live: true, local: true }
plugins:
  - { use: session }
`

t.test("a file of version 1.2.0 keeps the effect of each of its settings", async (t) => {
  const config = await readConfig(configFolder(t).write(former), {})
  t.match(config.server, {
    ...{ host: "0.0.0.0", port: 81, time_limit: 31, trust_proxy: ["10.0.0.0/8"] },
    ...{ host_names: ["a.example"], connections: 1001, connections_per_address: 201, waiting: 501 },
    ...{ reuse_port: true, drain: 1, timing: "all", publicUrl: "https://export.example.org" },
  })
  t.strictSame(config.database, {
    ...{ url: "mysql://localhost/test", connections: 11, time_limit: 11, own_triggers: true },
    replicas: { staleness: 11, hosts: ["db4"] },
  })
  t.match(config.session, {
    ...{ secrets: [goodSecret], lifetime: 43_201, idle: 604_801, cookie: "__Host-other" },
  })
  t.match(config.polling, {
    ...{ lag: 31, retention: 91 * 86_400, wait: 51 },
    intervals: { running: 61, upcoming: 901, closed: 86_401 },
  })
  t.strictSame(config.log, { level: "debug", format: "pretty" })
  t.strictSame(config.limits, { burst: 51, quota: 36_001, concurrent: 5, waiting: 101 })
  t.strictSame(config.accounts, {
    ann: { burst: 52, quota: 36_002, concurrent: 6, waiting: 102, poll_interval: 62 },
  })
  t.strictSame(config.cache, { pages: 65, records: 129 })
  t.equal(config.watch, true)
  const groups = config.capabilities.flatMap(({ capability: { name }, settings }) =>
    settings ? [[name, settings]] : []
  )
  t.strictSame(Object.fromEntries(groups), {
    audit: { retention: 366, required: true },
    demonstration: { module: "./demo", live: true, local: true },
    disclosures: { retention: 2191, overdue: 8 },
    export: { records: 1_000_001, seconds: 121, connections: 5, concurrent_per_account: 3 },
    metrics: { host: "::1", port: 9465 },
    ping: { ports: [], loopback: false },
  })
})

t.test("a setting that has moved is refused beside the one in its place", async (t) => {
  const file = configFolder(t).write(
    `${goodConfig}polling: { interval: 1, intervals: { running: 2 } }\n`,
  )
  t.match(await problemsOf(readConfig(file, {})), [{
    message: /^unknown setting; there are upcoming, closed/,
  }])
})

t.test("problems of a setting that has moved are where it stands", async (t) => {
  const file = configFolder(t).write(
    `${goodConfig}polling:\n  intervals:\n    running: 0\n`,
  )
  t.match(await problemsOf(readConfig(file, {})), [{
    line: 16,
    message: /^interval must be a whole/,
  }])
})

t.test("present settings stand for several former ones", async (t) => {
  const text = `${
    goodConfig.replace("port: 8080", "port: 8080\n  waiting: 5000")
  }cache: { megabytes: 10 }\n`
  const { limits, cache } = await readConfig(configFolder(t).write(text), {})
  t.equal(limits.waiting, 1000)
  t.strictSame(cache, { pages: 4, records: 6 })
})
