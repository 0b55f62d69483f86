import { copyFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { startListening } from "../../../../core/kernel/listening.ts"
import { onWithGroup, usual } from "../../../../plugins/capabilities/usual.ts"
import { onEveryEngine } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"
import { freshWorkshop } from "../../../support/service.ts"

const another = "8Jw2pQ6rXz9KfLmT4vBn3HsD7gYcE5uA"

const plugins = `  - use: connector-b
    with: { segment: connector-b, organizations: [acme] }`

const before = `polling: { retention: 90 }
audit: {}`
const after = `limits: { quota: 10 }
accounts: { conn-a: { quota: 5 } }
polling: { retention: 3, wait: 0 }
audit: { required: true }
log: { level: debug }`

const changedSettings = [
  "~ polling.retention: 90 becomes 3",
  "~ polling.wait: 50 becomes 0",
  "~ log.level: info becomes debug",
  "~ limits.quota: 36000 becomes 10",
  "~ audit.required: false becomes true",
  "~ accounts.conn-a.quota: none becomes 5",
]

t.test("check --against says of every setting that differs how", async (t) => {
  const { file, folder, build, write, start } = await freshWorkshop(t)
  await build.account("op", "operator")
  await build.account("conn-a")
  await build.organization("acme")
  write(plugins, before)
  const old = join(folder, "old.yaml")
  copyFileSync(file, old)
  const { url, close } = await startListening(await start())
  t.teardown(close)
  const changed = async (settings: string, against: string) => {
    write(plugins, settings)
    return (await runCommand(`-c ${file} check --against ${against}`)).out.split("\n").slice(1)
  }
  for (const against of [old, url]) {
    const nothing = `Against ${against}, a reload would change no route and no other setting.`
    t.strictSame(await changed(before, against), [nothing])
    const [begin, ...lines] = await changed(after, against)
    t.equal(begin, `Against ${against}, a reload would change:`)
    t.strictSame(lines.sort(), changedSettings.toSorted())
  }
})

t.test("check --against and status ask a server from before a rotation of secrets with the later ones", async (t) => {
  const { file, build, database, write, start } = await freshWorkshop(t)
  await build.account("op", "operator")
  await build.organization("acme")
  write(plugins)
  const { url, close } = await startListening(await start())
  t.teardown(close)
  const rotate = (kept: string) => {
    write(plugins)
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace(/secrets: \["([^"]*)"/, `secrets: ["${another}"${kept}`))
  }
  rotate(', "$1"')
  t.match(await runCommand(`-c ${file} check --against ${url}`), {
    code: 0,
    out: /a reload would change:\n~ session\.secrets: gains [\da-f]{8}$/,
  })
  t.match(await runCommand(`-c ${file} status --url ${url}`), { code: 0 })
  rotate("")
  t.match(await runCommand(`-c ${file} check --against ${url}`), {
    code: 1,
    err: /\/status returned 401\. Does it use .* one of the session secrets\?/,
  })
  t.strictSame(await database.writer.selectFrom("session").select("id").execute(), [])
})

t.test("check --against says which capabilities, secrets and plugins change", async (t) => {
  const { file, folder, build, write } = await freshWorkshop(t)
  await build.organization("acme")
  const external = `import { definePlugin, signedIn, handler, v } from "event-export/plugin"
export default definePlugin({
  apiVersion: 3, name: "x", summary: "X", settings: v.strictObject({ word: v.string() }),
  mount: () => ({ prefix: "/x", routes: [
    handler("GET", "/ping", { auth: signedIn, handle: () => new Response() }),
  ] }),
})`
  writeFileSync(join(folder, "x.ts"), external)
  write(`${plugins}\n  - use: ./x.ts\n    with: { word: one }`)
  const old = join(folder, "old.yaml")
  copyFileSync(file, old)
  const cases: readonly (readonly [change: (text: string) => string, said: RegExp])[] = [
    [
      (text) => text.replace(/secrets: \["([^"]*)"/, `secrets: ["${another}"`),
      /a reload would change:\n~ session\.secrets: loses [\da-f]{8}; gains [\da-f]{8}$/,
    ],
    [
      (text) =>
        `${text}capabilities: [${
          [...usual, ...onWithGroup].filter((name) => name !== "waiting")
        }]\n`,
      /warning: capabilities: loses waiting, only with a restart: a reload is refused\.$/m,
    ],
    [
      (text) => text.replace("word: one", "word: two"),
      /~ plugins\.\.\/x\.ts: [\da-f]{8,} becomes [\da-f]{8,}$/,
    ],
    [(text) => text.replace("[acme]", "[acme, beta]"), /gains organization beta/],
    [(text) => text.replace(/ {2}- use: \.\/x.*\n.*\n/, ""), /- GET \/x\/ping/],
    [
      (text) => text.replace("host: 127.0.0.1", "host: 127.0.0.1, public_url: https://x.example"),
      /~ session\.cookie: event_export_session becomes __Host-event_export_session$/,
    ],
  ]
  for (const [change, said] of cases) {
    writeFileSync(file, change(readFileSync(old, "utf8")))
    const { err, out } = await runCommand(`-c ${file} check --against ${old}`)
    t.match(`${err}\n${out}`, said)
  }
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("check --against names the accounts that gain or lose routes, and which", async (t) => {
    const { file, folder, build, write } = await freshWorkshop(t, engine)
    for (const slug of ["acme", "beta"]) {
      const organization = await build.organization(slug)
      await build.event(organization)
    }
    await build.account("op", "operator")
    for (
      const [name, organization] of [["ann", "acme"], ["bob", "beta"], ["ben", "beta"]] as const
    ) {
      await build.account(name)
      await build.grant(name, { organization })
    }
    await build.account("nobody")
    await build.account("acme-export", "service")
    await build.grant("acme-export", { organization: "acme" })
    await build.account("other-export", "service")
    await build.grant("other-export", { organization: "acme" })
    const old = join(folder, "old.yaml")
    write(plugins)
    copyFileSync(file, old)
    const readers = async (changed: string) => {
      write(changed)
      const { out } = await runCommand(`-c ${file} check --against ${old}`)
      const [, said = ""] = out.split("Who gains or loses routes:\n")
      return said.split("\n").filter((line) =>
        !/export$|deletions$|digest$|changes$|items|guests/.test(line)
      )
    }
    t.strictSame(await readers(plugins), [""])
    t.strictSame(await readers(plugins.replace("[acme]", "[acme, beta]")), [
      "ben, bob:",
      "    + GET /connector-b/v1/events",
    ])
    t.strictSame(await readers(plugins.replace("[acme]", "[beta]")), [
      "acme-export, ann, other-export:",
      "    - GET /connector-b/v1/events",
      "ben, bob:",
      "    + GET /connector-b/v1/events",
    ])
    const customer = `${plugins}
  - use: custom-export
    with: { customers: [{ namespace: acme, organization: acme, service_user: acme-export }] }`
    t.strictSame(await readers(customer), ["acme-export:", "    + GET /acme/v1/events"])
  })

  await t.test("check --against shows no credentials of a database", {
    skip: engine === "sqlite" && "it has none",
  }, async (t) => {
    const { file, folder, url, build, write } = await freshWorkshop(t, engine)
    await build.organization("acme")
    write(plugins)
    const other = join(folder, "other.yaml")
    writeFileSync(other, readFileSync(file, "utf8").replace(new URL(url).pathname, "/another"))
    const { err, out } = await runCommand(`-c ${file} check --against ${other}`)
    t.match(err, /^warning: database\.url: \S+\/another becomes \S+, only with a restart/m)
    t.notMatch(err + out, "@")
  })
})
