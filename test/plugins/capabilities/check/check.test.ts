import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { startListening } from "../../../../core/kernel/listening.ts"
import { Service } from "../../../../core/kernel/service.ts"
import { secret } from "../../../support/app.ts"
import { startProcess } from "../../../soak/support/service-process.ts"
import { Builder } from "../../../support/builder.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { withoutProcesses } from "../../../support/quick.ts"
import { runCommand } from "../../../support/run-command.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

t.test("check reports that the configuration is good, and what it would change", async (t) => {
  const { file } = await workshop(t)
  const config = file("a.yaml", "[acme]")
  t.match(await runCommand(`-c ${config} check`), {
    code: 0,
    err: "",
    out: /a.yaml is good: 3 plugins, 24 routes/,
  })
  t.match(await runCommand(`-c ${config} check --against ${config}`), {
    out: /change nothing that partners see/,
  })
  const more = file(
    "b.yaml",
    "[acme, beta]",
    "  - use: connector-a\n    with: { segment: a, organizations: [acme] }",
  )
  const { out } = await runCommand(`-c ${more} check --against ${config}`)
  t.match(out, /^\+ GET \/a\/v1\/events \(connector-a; granted; on for acme\)$/m)
  t.match(out, /^~ GET \/connector-b\/v1\/events: gains organization beta$/m)
  const less = await runCommand(`-c ${config} check --against ${more}`)
  t.match(less.out, /^- GET \/a\/v1\/events \(connector-a\)$/m)
  t.match(less.out, /^~ GET \/connector-b\/v1\/events: loses organization beta$/m)
})

t.test("check shows the fields that a route gains and loses", async (t) => {
  const { file, folder } = await workshop(t)
  const plugin = (fields: string) =>
    `import { definePlugin, granted, guest, guests, listing, pick, v } from "event-export/plugin"
    const auth = granted(["acme"])
    export default definePlugin({
      apiVersion: 2, name: "x", summary: "X", settings: v.strictObject({}),
      mount: () => ({ prefix: "/x", routes: [
        listing("/:eventId", guests, { auth, project: pick(guest, ${fields}) }),
      ] }),
    })`
  writeFileSync(join(folder, "one.ts"), plugin('["id", "email"]'))
  writeFileSync(join(folder, "two.ts"), plugin('["id", "mobile", "updated"]'))
  const before = file("a.yaml", "[]", "  - use: ./one.ts")
  const after = file("b.yaml", "[]", "  - use: ./two.ts")
  t.match(
    (await runCommand(`-c ${after} check --against ${before}`)).out,
    /~ GET \/x\/:eventId: gains fields Guest \(mobile, updated\); loses field Guest \(email\)$/m,
  )
})

t.test("check shows whom a route was for and is for", async (t) => {
  const { file, folder } = await workshop(t)
  const plugin = (auth: string) =>
    `import { definePlugin, handler, operatorOnly, signedIn, v } from "event-export/plugin"
    export default definePlugin({
      apiVersion: 2, name: "x", summary: "X", settings: v.strictObject({}),
      mount: () => ({ prefix: "/x", routes: [
        handler("GET", "/ping", { auth: ${auth}, handle: () => new Response() }),
      ] }),
    })`
  writeFileSync(join(folder, "one.ts"), plugin("signedIn"))
  writeFileSync(join(folder, "two.ts"), plugin("operatorOnly"))
  const before = file("a.yaml", "[]", "  - use: ./one.ts")
  const after = file("b.yaml", "[]", "  - use: ./two.ts")
  t.match(
    (await runCommand(`-c ${after} check --against ${before}`)).out,
    /~ GET \/x\/ping: was for: signed in, now for: operators$/m,
  )
})

t.test("check warns of names that are not in the database, and fails on them with --strict", async (t) => {
  const { file } = await workshop(t)
  const config = file(
    "a.yaml",
    "[acme, acmee]",
    "  - use: custom-export\n    with: { customers: [{ namespace: n, organization: acme, service_user: nobody }] }",
  )
  const warnings = /^warning: organization acmee: .*\nwarning: account nobody: /
  t.match(await runCommand(`-c ${config} check`), { code: 0, err: warnings })
  t.match(await runCommand(`-c ${config} check --strict`), { code: 1, err: warnings })
})

t.test("check fails on a database that cannot be served", async (t) => {
  const { file, folder } = await workshop(t)
  const cases: Record<string, RegExp> = {
    [`sqlite:${join(folder, "new.db")}`]: /error: the database lacks organization, event, guest/,
    "mysql://root@127.0.0.1:9/none": /error: .*ECONNREFUSED/,
    "oracle://x": /error: Cannot open the database/,
  }
  for (const [url, err] of Object.entries(cases)) {
    t.match(
      await runCommand(`-c ${file("a.yaml", "[acme]", "", url)} check`),
      { code: 2, err, out: "" },
      url,
    )
  }
})

t.test("check names a missing column", async (t) => {
  const { database, file } = await workshop(t)
  await database.writer.schema.alterTable("guest").dropColumn("mobile").execute()
  t.match(await runCommand(`-c ${file("a.yaml", "[acme]")} check`), {
    code: 2,
    err: /lacks guest\.mobile: /,
  })
})

t.test("check names a migration that is pending, and lists none for tables that migrations did not make", async (t) => {
  const { database, file } = await workshop(t)
  const { migrator } = database
  const check = () => runCommand(`-c ${file("a.yaml", "[acme]")} check`)
  await sql`delete from kysely_migration where name = '0017-forgotten-deletions'`.execute(migrator)
  t.match(await check(), {
    code: 2,
    err: /lacks migration 0017-forgotten-deletions: run "event-export migrate"/,
  })
  await sql`delete from kysely_migration`.execute(migrator)
  t.match(await check(), { code: 0, err: "" })
})

t.test("check and status query a running server", { skip: withoutProcesses }, async (t) => {
  const { build, file } = await workshop(t)
  const config = file("a.yaml", "[acme]")
  const { url } = await startProcess(t, "node", { CONFIG: config })
  t.match(await runCommand(`-c ${config} status --url ${url}`), {
    code: 1,
    err: /needs an operator account/,
  })
  await build.account("op", "operator")
  t.match(await runCommand(`-c ${config} status --url ${url}`), {
    code: 0,
    out: /^connector-b +- +2 +\/connector-b\/v1 +12 /m,
  })
  const { out } = await runCommand(`-c ${config} status --json --url ${url}`)
  t.match(JSON.parse(out), { contract: 2, lastReload: null, plugins: { length: 3 } })
  const more = file("b.yaml", "[acme, beta]")
  t.match(await runCommand(`-c ${more} check --against ${url}`), {
    code: 0,
    out: /gains organization beta/,
  })
  t.match(await runCommand(`-c ${config} status --url http://127.0.0.1:9`), {
    code: 1,
    err: /no response from/,
  })
})

t.test("check --against names the settings that change only with a restart", async (t) => {
  const { build, file } = await workshop(t)
  await build.account("op", "operator")
  const before = file("a.yaml", "[acme]")
  const service = await Service.start(before, { environment: {}, log: () => scannedLog(t, []) })
  const { url, close } = await startListening(service)
  t.teardown(async () => {
    await close()
    await service.close()
  })
  const changed = (change: (text: string) => string) => {
    const after = file("b.yaml", "[acme, beta]")
    writeFileSync(after, change(readFileSync(after, "utf8")))
    return after
  }
  const moved = changed((text) =>
    `${
      text.replace("port: 0", "port: 8081, trust_proxy: [10.0.0.0/8]")
    }admin: { host: 127.0.0.1, port: 9464 }\n`
  )
  for (const against of [url, before]) {
    const { code, err, out } = await runCommand(`-c ${moved} check --strict --against ${against}`)
    t.equal(code, 1, "a reload would be refused")
    t.strictSame(
      err.split("\n").slice(0, -1),
      [
        "server.port: it is 0 in force and 8081 in the file",
        'server.trust_proxy: it is [] in force and ["10.0.0.0/8"] in the file',
        "admin.host: it is none in force and 127.0.0.1 in the file",
        "admin.port: it is none in force and 9464 in the file",
      ].map((text) => `warning: ${text}, and changes only with a restart: a reload is refused.`),
    )
    t.match(out, /^Against .*, a restart would change:\n~ GET .*gains organization beta$/m)
  }
  const same = changed((text) => text)
  t.match(await runCommand(`-c ${same} check --strict --against ${url}`), {
    code: 0,
    err: "",
    out: /^Against .*, a reload would change:$/m,
  })
})

t.test("status tells since when the configuration is in force, and leaves no session", async (t) => {
  const { build, database, file } = await workshop(t)
  await build.account("op", "operator")
  const config = file("a.yaml", "[acme]")
  const service = await Service.start(config, { environment: {}, log: () => scannedLog(t, []) })
  const { url, close } = await startListening(service)
  t.teardown(async () => {
    await close()
    await service.close()
  })
  const { out } = await runCommand(`-c ${config} status --url ${url}`)
  const [, since = ""] = /, in force since (\S+)$/m.exec(out) ?? []
  t.ok(Math.abs(Date.parse(since) - Date.now()) < 60_000, since)
  t.strictSame(await database.writer.selectFrom("session").selectAll().execute(), [])
})

t.test("check --against says why a server cannot be reached", async (t) => {
  const { build, file } = await workshop(t)
  await build.account("op", "operator")
  const command = (url: string) =>
    runCommand(`-c ${file("a.yaml", "[acme]")} check --against ${url}`)
  t.match(await command("http://127.0.0.1:2"), {
    code: 1,
    err:
      /^There is no response from http:\/\/127\.0\.0\.1:2: connect ECONNREFUSED 127\.0\.0\.1:2\.$/m,
  })
  t.match(await command("http://no-such-host.invalid"), { code: 1, err: /(ENOTFOUND|EAI_AGAIN)/ })
  const plain = createServer((socket) => socket.end("no TLS here"))
  await once(plain.listen(0, "127.0.0.1"), "listening")
  t.teardown(() => plain.close())
  const { port } = plain.address() as AddressInfo
  t.match(await command(`https://127.0.0.1:${port}`), { code: 1, err: /response from .*SSL/ })
})

async function workshop(t: Test) {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  for (const slug of ["acme", "beta"]) await build.organization(slug)
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = (name: string, organizations: string, plugins = "", databaseUrl = url) => {
    writeFileSync(
      join(folder, name),
      `server: { host: 127.0.0.1, port: 0 }
database: { url: "${databaseUrl}" }
session: { secrets: ["${secret}"] }
plugins:
  - use: session
  - use: status
  - use: connector-b
    with: { segment: connector-b, organizations: ${organizations} }
${plugins}
`,
    )
    return join(folder, name)
  }
  return { build, database, file, folder }
}
