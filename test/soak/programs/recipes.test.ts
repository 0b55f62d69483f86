import { execFile } from "node:child_process"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { configWith, secret } from "../../support/app.ts"
import { startProcess } from "../support/service-process.ts"
import { Builder, password } from "../../support/builder.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { blocksOf } from "../../support/documents.ts"
import { onWithGroup, usual } from "../../../plugins/capabilities/usual.ts"

const recipes = new Map(
  readFileSync("config/handbook/recipes.md", "utf8").split("\n## ").slice(1)
    .map((text) => [text.split("\n")[0] ?? "", text]),
)
const event = "22222222-2222-4222-8222-222222222222"
const guest = "33333333-3333-4333-8333-333333333333"

/** Runs the blocks of code of a recipe in their order; `edit` changes the configuration as its words say. */
type Follow = (
  t: Test,
  name: string,
  edit?: (config: string, lines: string) => string,
) => Promise<string>

await t.test("each recipe of the handbook works as it stands", async (t) => {
  const { follow, get } = await stage(t)

  await t.test("New customer", async (t) => {
    t.equal(await get("cygnus-export", "/cygnus/v1/events"), undefined)
    const out = await follow(
      t,
      "New customer",
      (config, lines) =>
        config.replace(/( +)service_user: borealis-export\n/, (line) => line + lines),
    )
    t.match(out, /\+ .*\/cygnus\/v1|gains|cygnus/)
    t.equal(await get("cygnus-export", "/cygnus/v1/events"), 200)
  })

  await t.test("New partner", async (t) => {
    t.match(await follow(t, "New partner"), /200/)
    t.equal(await get("partner-c", `/connector-b/v1/events/${event}/guests`), 200)
  })

  await t.test("Items for connector A", async (t) => {
    const path = `/connector-a/v1/events/${event}/items`
    t.equal(await get("partner-c", path), 404)
    await follow(
      t,
      "Items for connector A",
      (config, lines) =>
        config.replace(/ {2}- use: connector-a\n( {4}.*\n)+/, (plugin) => plugin + lines),
    )
    t.equal(await get("partner-c", path), 200)
  })

  await t.test("Renew all cookies", async (t) => {
    t.match(await follow(t, "Renew all cookies"), /partner-c[^]*partner-c-new\.txt/)
  })

  await t.test("Find out who has a guest", async (t) => {
    const path = `/acme/v1/events/${event}/guests`
    t.equal(await get("acme-export", path), 200)
    let out = ""
    while (!out.includes("acme-export")) {
      await setTimeout(100)
      out = await follow(t, "Find out who has a guest")
    }
    t.match(out, /acme-export +\/acme\/v1 +sent/)
  })

  await t.test("Remove a customer", async (t) => {
    await follow(
      t,
      "Remove a customer",
      (config) => config.replace(/ +- namespace: cygnus\n.*\n.*\n/, ""),
    )
    t.equal(await get("cygnus-export", "/cygnus/v1/events"), undefined)
  })
})

/** Starts the service with the default configuration, and puts the programs that recipes name on PATH. */
async function stage(t: Test) {
  const { folder, write } = configFolder(t)
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await fill(new Builder(database))
  const file = write(configWith([...usual, ...onWithGroup]))
  const environment = { CONFIG: file, DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0" }
  const { url: base, child, entries } = await startProcess(t, "node", environment)

  const programs = join(folder, "bin")
  mkdirSync(programs)
  const program = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(programs, name), 0o755)
  }
  program("event-export", `exec '${process.execPath}' '${resolve("core/main.js")}' "$@"`)
  program("systemctl", `[ "$*" = "reload event-export" ] && kill -HUP ${child.pid}`)
  const env = {
    ...process.env,
    ...environment,
    ADMIN_PORT: "0",
    PATH: `${programs}:${process.env["PATH"]}`,
  }
  const run = promisify(execFile)

  const follow: Follow = async (t, name, edit) => {
    const text = recipes.get(name)
    if (text === undefined) throw new TypeError(`there is no recipe ${name}`)
    const [lines = ""] = blocksOf(text, "yaml")
    if (edit) {
      const before = readFileSync(file, "utf8")
      const after = edit(before, lines)
      t.not(after, before, "the recipe's lines have a place")
      writeFileSync(file, after)
    }
    for (const statement of blocksOf(text, "sql")) {
      const { rows } = await sql`${sql.raw(statement.replace(/;\s*$/, ""))}`.execute(
        database.writer,
      )
      t.ok(rows.length > 0, statement)
    }
    const printed: string[] = []
    for (const block of blocksOf(text, "sh")) {
      const command = `set -e\n${block.replaceAll("http://127.0.0.1:8080", base)}`
      const applied = () => entries.filter(({ msg }) => msg === "configuration applied").length
      const reloads = applied()
      const running = run("sh", ["-c", command], { cwd: folder, env })
      running.child.stdin?.end(`${password}\n`)
      const { stdout, stderr } = await running
      t.equal(stderr, "", command)
      printed.push(stdout)
      while (block.includes("systemctl reload") && applied() === reloads) await setTimeout(20)
    }
    return printed.join("")
  }

  /** Returns the status of a request of an account; undefined if it cannot log in, or has no such path. */
  const get = async (username: string, path: string): Promise<number | undefined> => {
    const session = await fetch(`${base}/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    })
    if (session.status === 401) return undefined
    const [cookie = ""] = (session.headers.getSetCookie()[0] ?? "").split(";")
    const response = await fetch(base + path, { headers: { cookie } })
    await response.text()
    return response.status
  }
  return { follow, get }
}

async function fill(build: Builder): Promise<void> {
  const [acme] = [
    await build.organization("acme"),
    await build.organization("borealis"),
    await build.organization("cygnus"),
  ]
  await build.event(acme, { id: event })
  await build.guest(event, { id: guest, email: "ada@example.org" })
  await build.account("operator", "operator")
  for (const name of ["acme", "borealis"]) {
    await build.account(`${name}-export`, "service")
    await build.grant(`${name}-export`, { organization: name })
  }
}
