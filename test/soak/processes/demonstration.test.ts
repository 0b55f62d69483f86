import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import t, { type Test } from "tap"
import { Service } from "../../../core/kernel/service.ts"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"
import { scannedLog } from "../../support/scanned-log.ts"

/** Settings of the server under which others can reach it, and the setting that says so. */
const reachable: Readonly<Record<string, string>> = {
  "{ host: 0.0.0.0, port: 0 }": "server.host 0.0.0.0 is not loopback",
  '{ host: "::", port: 0 }': "server.host :: is not loopback",
  "{ host: 127.0.0.1, port: 0, public_url: https://export.example.org }":
    "server.public_url https://export.example.org is not loopback",
  '{ host: localhost, port: 0, public_url: "http://192.0.2.1:8080" }':
    "server.public_url http://192.0.2.1:8080 is not loopback",
  "{ host: 127.0.0.1, port: 0, trust_proxy: [127.0.0.1/32] }": "server.trust_proxy is set",
  "{ host: 127.0.0.1, port: 0, host_names: [export.example.org] }": "server.host_names is set",
}

t.test("demonstration accounts are not served, and none are made, where others reach the server", async (t) => {
  const { write, start } = await workshop(t)
  for (const [server, reason] of Object.entries(reachable)) {
    const refusal = { message: explanation(reason) }
    const file = write(server)
    await t.rejects(start(file), refusal, `serve with ${server}`)
    t.match(await runCommand(`-c ${file} check`), { code: 2, err: explanation(reason) }, "check")

    const local = start(write(server, { local: true }))
    if (reason.includes("server.host ")) await t.resolves(local)
    else await t.rejects(local, refusal, "demonstration.local")

    const other = write(server, { databaseUrl: `sqlite:${join(mkdtemp(t), "new.db")}` })
    t.match(await runCommand(`-c ${other} serve --migrate --demo`), { code: 1, err: reason })
    t.match(
      await runCommand(`-c ${other} check`),
      { err: /lacks migration 2000-kernel/ },
      "it is empty",
    )
  }
  for (
    const server of [
      "{ host: 127.0.0.1, port: 0 }",
      "{ host: localhost, port: 0, public_url: https://localhost:8443 }",
      '{ host: "::1", port: 0, public_url: "http://[::1]:8080" }',
    ]
  ) {
    const service = await start(write(server))
    t.match(await service.reload("a test"), { result: "applied" }, server)
  }
})

t.test("check warns of demonstration.local, and a reload without it is refused", async (t) => {
  const { write, start } = await workshop(t)
  const server = '{ host: 0.0.0.0, port: 0, public_url: "http://127.0.0.1:8080" }'
  const file = write(server, { local: true })
  const service = await start(file)
  const warning = /^warning: demonstration\.local: .*password that everyone knows.*127\.0\.0\.1/m
  t.match(await runCommand(`-c ${file} check`), { code: 0, err: warning })
  write(server)
  t.match(await service.reload("a test"), {
    result: "refused",
    reason: /demonstration\.local \(true becomes (none|false)\), which takes a restart/,
  })
})

/** Matches a refusal that says why, and what to do. */
function explanation(reason: string): RegExp {
  const accounts = "everyone knows the password of the demonstration accounts acme-export, operator"
  return new RegExp(
    `${accounts}.*${RegExp.escape(reason)}.*account disable.*does not remove them`,
  )
}

async function workshop(t: Test) {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  const build = new Builder(database)
  await build.account("acme-export", "service")
  await build.account("operator", "operator")
  await database.writer.updateTable("account").set({ demonstration: 1 }).execute()
  await build.account("ann")
  const file = join(mkdtemp(t), "config.yaml")
  const write = (server: string, { databaseUrl = url, local = false } = {}) => {
    writeFileSync(
      file,
      `server: ${server}
database: { url: "${databaseUrl}" }
session: { secrets: ["${secret}"] }
connect: { mapping: ./platform.yaml }
demonstration: { module: ${resolve("config/demo/demonstration.ts")}, local: ${local} }
plugins:
  - use: session
`,
    )
    return file
  }
  const start = async (file: string) => {
    const service = await Service.start(file, { environment: {}, log: () => scannedLog(t, []) })
    t.teardown(() => service.close())
    return service
  }
  return { database, write, start }
}

function mkdtemp(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}
