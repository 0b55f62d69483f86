import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { grantStatements } from "../../../../plugins/databases/mysql/privileges.ts"
import { tablesOf } from "../../../../core/data/storage.ts"
import { allStorages } from "../../../support/storages.ts"
import { secret } from "../../../support/app.ts"
import { past } from "../../../support/builder.ts"
import { type Engine, onEveryEngine } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { freshWorkshop } from "../../../support/service.ts"
import { createUser, whyNoUsers } from "../../../support/users.ts"

const tables = tablesOf(allStorages)

/** Parts of a configuration that works. */
const good = {
  server: "{ host: 127.0.0.1, port: 0 }",
  more: "",
  session: "  - use: session",
  plugins: `  - use: custom-export
    with: { customers: [{ namespace: n, organization: acme, service_user: exporter }] }`,
}
type Parts = Partial<typeof good>

const withProxy = (networks: string, publicUrl = "https://export.example.org") =>
  `{ host: 127.0.0.1, port: 0, public_url: "${publicUrl}", trust_proxy: ${networks} }`
const behindProxy = withProxy("[127.0.0.1/32]")
const withUrl = (publicUrl: string) => `{ host: 127.0.0.1, port: 0, public_url: "${publicUrl}" }`
const customers = (...organizations: readonly string[]) => ({
  plugins: `  - use: custom-export
    with:
      customers:
${
    organizations.map((organization, index) =>
      `        - { namespace: n${index}, organization: ${organization}, service_user: exporter }`
    ).join("\n")
  }`,
})

const everyAddress = /^server\.trust_proxy: .*X-Forwarded-For.*List only/

/** Networks in `trust_proxy`, each with what check warns of. */
const networks: readonly (readonly [networks: string, warning?: RegExp | undefined])[] = [
  ["[10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7]"],
  ["[0.0.0.0/0]", everyAddress],
  ['["10.0.0.0/8", "::/0"]', everyAddress],
  ["[128.0.0.0/1]", everyAddress],
  ["[0.0.0.0/1, 128.0.0.0/1]", everyAddress],
  ['["::/1", "8000::/1"]', everyAddress],
  ["[10.1.2.3/12]", /^server\.trust_proxy: 10\.1\.2\.3\/12 .*means 10\.0\.0\.0\/12\./],
  ['["2001:db8:ff::1/33"]', /^server\.trust_proxy: .*means 2001:db8::\/33\./],
  // Networks without host bits.
  ['["10.1.2.3", "10.1.2.3/32", "10.1.2.2/31", "2001:db8::1/128", "2001:db8:0:1::/64"]'],
  ['["FD00::/8", "::ffff:10.0.0.0/104"]'],
]

const onLoopback = (address: string) => behindProxy.replace("127.0.0.1,", `${address},`)

/** Settings of the server, each with what check warns of. */
const servers: typeof networks = [
  ...networks.map(([list, warning]) => [withProxy(list), warning] as const),
  [good.server],
  [behindProxy],
  [withUrl("https://export.example.org"), /^server\.trust_proxy: .*proxy's address.*List/],
  [withUrl("https://localhost:8443"), /^server\.trust_proxy: /],
  ["{ host: 0.0.0.0, port: 0 }", /^server\.public_url: .*plain http.*http:\/\/0\.0\.0\.0:0.*TLS/],
  [withProxy("[127.0.0.1/32]", "http://export.example.org"), /^server\.public_url: .*plain http/],
  [onLoopback("0.0.0.0")],
]

/** Other settings, in the same way. */
const settings: typeof networks = [
  ["admin: { host: 127.0.0.1, port: 0 }"],
  [
    "admin: { host: 0.0.0.0, port: 0 }",
    /^admin\.host: 0\.0\.0\.0 .*without a log-in.*127\.0\.0\.1/,
  ],
  ["limits: { concurrent: 9 }"],
  ["limits: { concurrent: 10 }", /^limits\.concurrent: 10 .*10 connections.*database\.connections/],
  ["accounts: { nobody: { burst: 1 } }", /^account nobody: it does not exist, so its limits/],
]

/** Whole configurations, in the same way. */
const configurations: readonly (readonly [parts: Parts, warning?: RegExp | undefined])[] = [
  ...servers.map(([server, warning]) => [{ server }, warning] as const),
  ...settings.map(([more, warning]) => [{ more }, warning] as const),
  // Two equal ports of two addresses.
  [{
    server: "{ host: 127.0.0.1, port: 8099 }",
    more: "admin: { host: 127.0.0.2, port: 8099 }",
  }],
  [{ session: "  - use: health" }, /^plugins: .*log in.*use: session/],
  [{ session: "  - use: health", plugins: "" }],
  [customers("acme", "beta"), /^account exporter: .*acme and beta.*each customer/],
  [customers("acme", "acme")],
  [customers("acmee"), /^organization acmee: /],
  [
    { plugins: "  - use: connector-b\n    with: { segment: b, organizations: [acmee] }" },
    /^organization acmee: /,
  ],
]

t.test("check warns of configurations that leak or do not work, and of no others", async (t) => {
  const { warnings, write } = await workshop(t, "sqlite")
  for (const [parts, warning] of configurations) {
    const name = JSON.stringify(parts)
    const found = await warnings(write(parts))
    t.equal(found.length, warning ? 1 : 0, `${name}: ${found}`)
    if (warning) t.match(found[0], warning, name)
  }
})

t.test("check warns of the configuration also if the database is away", async (t) => {
  const { write } = await workshop(t, "sqlite")
  const file = write({ more: "limits: { concurrent: 11 }" }, "mysql://root@127.0.0.1:9/none")
  t.match(await runCommand(`-c ${file} check`), {
    code: 2,
    err: /^error: .*ECONNREFUSED.*^warning: limits\.concurrent: /ms,
  })
})

await onEveryEngine(t, async (t, engine) => {
  const { build, database, warnings, write } = await workshop(t, engine)

  await t.test("check warns of service users that can read nothing", async (t) => {
    const customer = (user: string) => write({ plugins: good.plugins.replace("exporter", user) })
    t.match(await warnings(customer("nobody")), [/^account nobody: it does not exist.*account add/])
    await build.account("clerk", "partner")
    await build.grant("clerk", { organization: "acme" })
    t.match(await warnings(customer("clerk")), [
      /^account clerk: .*role partner.*403.*role service/,
    ])
    await build.account("idle", "service")
    t.match(await warnings(customer("idle")), [/^account idle: .*no grant.*acme.*access grant/])
    const organization = await database.writer.selectFrom("organization").select("id")
      .where("slug", "=", "acme").executeTakeFirstOrThrow()
    await build.grant("idle", { event: await build.event(organization.id) })
    t.strictSame(await warnings(customer("idle")), [], "a grant on an event")
    await build.account("late", "service")
    await build.grant("late", { organization: "acme" })
    t.strictSame(await warnings(customer("late")), [])
    const endAt = (ends: number) =>
      database.writer.updateTable("access_grant").set({ ends })
        .where(
          "account_id",
          "in",
          (db) => db.selectFrom("account").select("id").where("username", "=", "late"),
        ).execute()
    await endAt(2 * Math.floor(Date.now() / 1000))
    t.strictSame(await warnings(customer("late")), [], "it ends, but not yet")
    await endAt(past)
    t.match(await warnings(customer("late")), [/^account late: .*no grant/], "it has ended")
    await setDisabled(database, "exporter", true)
    t.match(await warnings(write()), [/^account exporter: .*disabled.*--undo/])
    await setDisabled(database, "exporter", false)
    t.strictSame(await warnings(write()), [])
  })

  await t.test("check warns of each missing trigger, by name", async (t) => {
    const { rows } = await (engine === "mysql"
      ? sql<Trigger>`select trigger_name as name, event_object_table as \`table\`
          from information_schema.triggers where trigger_schema = database()`
      : sql<Trigger>`select name, tbl_name as "table" from sqlite_master where type = 'trigger'`)
      .execute(database.writer)
    t.ok(rows.length > 20)
    const file = write()
    for (const { name } of rows) {
      await sql`drop trigger ${sql.ref(name)}`.execute(database.writer)
    }
    const [warning = "", ...others] = await warnings(file)
    t.strictSame(others, [])
    t.match(warning, /^triggers: there is no .*changes/)
    for (const { name, table } of rows) {
      t.match(warning, new RegExp(`\\b${name} on ${table}\\b`))
    }
  })
})

interface Trigger {
  readonly name: string
  readonly table: string
}

t.test("check warns of an embedded database that others can read", async (t) => {
  const { file, path, warnings } = await workshop(t, "sqlite")
  chmodSync(path, 0o604)
  t.strictSame(await warnings(file), [], "nobody else reaches the folder")
  chmodSync(join(path, ".."), 0o711)
  t.match(await warnings(file), [/^database\.url: .*every user of this machine.*chmod 600/])
  chmodSync(path, 0o640)
  t.strictSame(await warnings(file), [])
})

t.test("check warns of privileges that the database's user lacks", {
  skip: await whyNoUsers(),
}, async (t) => {
  const { url, warnings, write } = await workshop(t, "mysql")
  const { owner, user, url: own } = await createUser(t, url)
  for (const statement of grantStatements(user, tables)) await owner.query(statement)
  const file = write({}, own)
  t.strictSame(await warnings(file), [], "what grants prints is enough, triggers are not seen")

  const revoke = (privilege: string, table: string) =>
    owner.query(`revoke ${privilege} on ${user.database}.${table} from '${user.name}'@'%'`)
  await revoke("insert", "audit_log")
  t.match(await warnings(file), [
    /^database\.url: the user may not insert into audit_log: .*"event-export grants"/,
  ])
  await revoke("delete", "session")
  await revoke("update", "rate_limit")
  // Of one column only, and that is refused with another error.
  await owner.query(`grant update (expires) on ${user.database}.rate_limit to '${user.name}'@'%'`)
  t.match(await warnings(file), [
    /may not delete from session, update rate_limit, insert into audit_log: /,
  ])
  await owner.query("drop trigger pledge_insert")
  t.match((await warnings(file)).at(-1), /^triggers: .*\bpledge_insert on pledge\b/)
})

async function workshop(t: Test, engine: Engine) {
  const { build, database, file, url } = await freshWorkshop(t, engine)
  for (const slug of ["acme", "beta"]) await build.organization(slug)
  await build.account("exporter", "service")
  for (const organization of ["acme", "beta"]) await build.grant("exporter", { organization })
  const write = (parts: Parts = {}, databaseUrl = url) => {
    const { server, more, session, plugins } = { ...good, ...parts }
    const text = `server: ${server}
database: { url: "${databaseUrl}" }
session: { secrets: ["${secret}"] }
connect: {}
${more}
plugins:
${session}
${plugins}
`
    writeFileSync(file, text)
    return file
  }
  const warnings = async (file: string) => {
    const { code, err } = await runCommand(`-c ${file} check --strict`)
    const found = err.split("\n").filter((line) => line.startsWith("warning: "))
    t.equal(code, found.length > 0 ? 1 : 0, err)
    return found.map((line) => line.replace("warning: ", ""))
  }
  return { build, database, file: write(), path: url.replace("sqlite:", ""), url, warnings, write }
}
