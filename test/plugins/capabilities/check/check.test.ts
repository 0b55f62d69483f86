import { once } from "node:events"
import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { startListening } from "../../../../core/kernel/listening.ts"
import { runCommand } from "../../../support/run-command.ts"
import { freshWorkshop } from "../../../support/service.ts"

t.test("check reports that the configuration is good, and what it would change", async (t) => {
  const { file } = await workshop(t)
  const config = file("a.yaml", "[acme]")
  t.match(await runCommand(`-c ${config} check`), {
    code: 0,
    err: "",
    out: /a.yaml is good: 3 plugins, \d+ routes/,
  })
  t.match(await runCommand(`-c ${config} check --against ${config}`), {
    out: /change no route and no other setting/,
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
  const [a, b] = ["connector-a", "connector-b"].map((use) =>
    file(`${use}.yaml`, "[]", `  - use: ${use}\n    with: { segment: s, organizations: [acme] }`)
  )
  const other = await runCommand(`-c ${b} check --against ${a}`)
  t.match(other.out, /^~ GET \/s\/v1\/events: served by connector-b instead of connector-a$/m)
})

/** Two routes of a plugin, and what a change from the first to the second is said to be. */
const changedRoutes: Readonly<Record<string, readonly [before: string, after: string, RegExp]>> = {
  "the fields that a route gains and loses": [
    'listing("/:eventId", guests, { auth, project: pick(guest, ["id", "email"]) })',
    'listing("/:eventId", guests, { auth, project: pick(guest, ["id", "mobile", "updated"]) })',
    /~ GET \/x\/:eventId: gains fields Guest \(mobile, updated\); loses field Guest \(email\)$/m,
  ],
  "whom a route was for and is for": [
    'handler("GET", "/ping", { auth: signedIn, handle: () => new Response() })',
    'handler("GET", "/ping", { auth: operatorOnly, handle: () => new Response() })',
    /~ GET \/x\/ping: was for: signed in, now for: operators$/m,
  ],
}

t.test("check --against shows fields and policies that change", async (t) => {
  const { file, folder } = await workshop(t)
  const plugin = (route: string) =>
    `import * as api from "event-export/plugin"
    const { definePlugin, granted, guest, guests, handler, listing, operatorOnly, pick } = api
    const { signedIn, v } = api
    const auth = granted(["acme"])
    export default definePlugin({
      apiVersion: 3, name: "x", summary: "X", settings: v.strictObject({}),
      mount: () => ({ prefix: "/x", routes: [${route}] }),
    })`
  for (const [index, [name, [before, after, line]]] of Object.entries(changedRoutes).entries()) {
    const [a, b] = [before, after].map((route, side) => {
      writeFileSync(join(folder, `${index}${side}.ts`), plugin(route))
      return file(`${side}.yaml`, "[]", `  - use: ./${index}${side}.ts`)
    })
    t.match((await runCommand(`-c ${b} check --against ${a}`)).out, line, name)
  }
})

t.test("check warns of names that are not in the database, and fails on them with --strict", async (t) => {
  const { file } = await workshop(t)
  const config = file(
    "a.yaml",
    "[acme, acmee]",
    `  - use: custom-export
    with: { customers: [{ namespace: n, organization: acme, service_user: nobody }] }`,
  )
  const warnings = /^warning: organization acmee: .*\nwarning: account nobody: /
  t.match(await runCommand(`-c ${config} check`), { code: 0, err: warnings })
  t.match(await runCommand(`-c ${config} check --strict`), { code: 1, err: warnings })
})

t.test("check fails on a database that cannot be served, and names what it lacks", async (t) => {
  const { database, file, folder, url } = await workshop(t)
  const config = file("a.yaml", "[acme]")
  const text = readFileSync(config, "utf8")
  const cases: Record<string, RegExp> = {
    [`sqlite:${join(folder, "new.db")}`]:
      /error: the database lacks migration 2000-kernel, migration/,
    "oracle://x": /error: Cannot open the database/,
  }
  for (const [other, err] of Object.entries(cases)) {
    writeFileSync(config, text.replace(url, other))
    t.match(await runCommand(`-c ${config} check`), { code: 2, err, out: "" }, other)
  }
  writeFileSync(config, text)
  const { migrator } = database
  await migrator.schema.alterTable("guest").dropColumn("mobile").execute()
  t.match(await runCommand(`-c ${config} check`), { code: 2, err: /lacks guest\.mobile: / })
  await sql`delete from kysely_migration where name = '2000-kernel'`.execute(migrator)
  t.match(await runCommand(`-c ${config} check`), {
    code: 2,
    err: /lacks migration 2000-kernel: run "event-export migrate"/,
  })
})

t.test("check and status query a running server, and leave no session", async (t) => {
  const { build, database, file, serve } = await workshop(t)
  const config = file("a.yaml", "[acme]")
  const url = await serve()
  const status = (flags: string) => runCommand(`-c ${config} status ${flags}`)
  await build.account("ann")
  await build.account("a-former-operator", "operator")
  await setDisabled(database, "a-former-operator", true)
  t.match(await status(`--url ${url}`), { code: 1, err: /needs an operator account/ })
  await build.account("op", "operator")
  const { code, out } = await status(`--url ${url}`)
  t.equal(code, 0)
  t.match(out, /^connector-b +- +3 +\/connector-b\/v1 +12$/m)
  const [, since = ""] = /, in force since (\S+)$/m.exec(out) ?? []
  t.ok(Date.parse(since) <= Date.now(), since)
  const json = JSON.parse((await status(`--json --url ${url}`)).out)
  t.match(json, { contract: 3, lastReload: null, plugins: { length: 3 } })
  t.strictSame(await database.writer.selectFrom("session").selectAll().execute(), [])
})

t.test("check --against names the settings that change only with a restart", async (t) => {
  const { build, file, serve } = await workshop(t)
  await build.account("op", "operator")
  const before = file("a.yaml", "[acme]")
  const url = await serve()
  const after = file("b.yaml", "[acme, beta]")
  t.match(await runCommand(`-c ${after} check --strict --against ${url}`), {
    code: 0,
    err: "",
    out: /^Against .*, a reload would change:$/m,
  })
  const text = readFileSync(after, "utf8")
    .replace("port: 0", "port: 8081, trust_proxy: [10.0.0.0/8]")
    .replace("admin: { host: 127.0.0.1, port: 0 }", "admin: { host: 127.0.0.2, port: 9464 }")
  writeFileSync(after, text)
  for (const against of [url, before]) {
    const { code, err, out } = await runCommand(`-c ${after} check --strict --against ${against}`)
    t.equal(code, 1, "a reload would be refused")
    const warnings = [
      "server.port: 0 becomes 8081",
      "server.trust_proxy: gains 10.0.0.0/8",
      "admin.host: 127.0.0.1 becomes 127.0.0.2",
      "admin.port: 0 becomes 9464",
    ].map((text) => `warning: ${text}, only with a restart: a reload is refused.`)
    t.strictSame(err.split("\n").slice(0, warnings.length).sort(), warnings.sort())
    t.match(out, /^Against .*, a restart would change:\n~ GET .*gains organization beta$/m)
  }
})

t.test("check --against says why a server cannot be reached", async (t) => {
  const { build, file } = await workshop(t)
  await build.account("op", "operator")
  const config = file("a.yaml", "[acme]")
  const moved = createServer((_, response) => response.writeHead(302, { location: "/" }).end())
  await once(moved.listen(0, "127.0.0.1"), "listening")
  t.teardown(() => moved.close())
  const reasons: Record<string, RegExp> = {
    "http://127.0.0.1:2":
      /^There is no response from http:\/\/127\.0\.0\.1:2: connect ECONNREFUSED 127\.0\.0\.1:2\.$/m,
    [`http://127.0.0.1:${(moved.address() as AddressInfo).port}`]: /\/status returned 302/,
  }
  for (const [url, err] of Object.entries(reasons)) {
    t.match(await runCommand(`-c ${config} check --against ${url}`), { code: 1, err }, url)
  }
})

/** Two organizations, and files of connector B for some of them. */
async function workshop(t: Test) {
  const workshop = await freshWorkshop(t)
  const { build, folder, start, write } = workshop
  for (const slug of ["acme", "beta"]) await build.organization(slug)
  return {
    ...workshop,
    file(name: string, organizations: string, plugins = "") {
      write(`  - use: connector-b
    with: { segment: connector-b, organizations: ${organizations} }
${plugins}`)
      copyFileSync(workshop.file, join(folder, name))
      return join(folder, name)
    },
    /** Serves the file that was written last, and returns its URL. */
    async serve() {
      const { url, close } = await startListening(await start())
      t.teardown(close)
      return url
    },
  }
}
