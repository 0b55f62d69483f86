// slow: starts the service and the programs of the guide as processes
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import demonstration from "../../config/demo/demonstration.ts"
import { password } from "../../config/demo/accounts.ts"
import type { Database } from "../../core/data/database.ts"
import { migrate } from "../../core/data/migrate.ts"
import { fillDemonstration } from "../../core/kernel/demonstration.ts"
import { secret, startProcess } from "../support/app.ts"
import { Builder } from "../support/builder.ts"
import { freshUrl, openFor } from "../support/database.ts"

const run = promisify(execFile)

/** The reader's values for the placeholders. */
const values = { "/your-family/v1": "/acme/v1", "your-name": "acme-export" }
const eventId = "91fa3e25-8587-44b1-a2dc-4dbe423dd19f"
const itemTables = [
  "buy_now_item",
  "auction_item",
  "pledge",
  "raffle",
  "gli_raffle",
  "ticket",
] as const

/** The programs that do the same in two languages, each with the command to run it. */
const programs = {
  typescript: { command: process.execPath, file: "poll.mts" },
  python: { command: "python3", file: "poll.py" },
}

const databaseUrl = await freshUrl(t, "sqlite")
const database = await openFor(t, databaseUrl)
await migrate(database)
await fillDemonstration(demonstration, database)
const environment = { DATABASE_URL: databaseUrl, SESSION_SECRET: secret, PORT: "0" }
const { url } = await startProcess(t, "node", environment)
const slowServer = await startProcess(t, "node", { ...environment, CONFIG: slowConfig(t) })

await t.test("the curl examples of the guide work as described, in the order of the page", async (t) => {
  if (!await isInstalled(t, "curl")) return
  const folder = t.testdir()
  const args = ["-eu", "-c", await programOf("curl", url)]
  const { stdout } = await runIn(folder, { command: "sh", args })

  t.match(stdout, `"id":"${eventId}"`, "the events are listed")
  t.match(stdout, "3 pages; next time since=1")
  const records = globSync("guests-*.json", { cwd: folder })
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Guest[])
  t.strictSame(versions(records), await guestVersions(database), "the files have every guest")
  t.equal(statSync(join(folder, "guests-1.json")).mode & 0o077, 0, "nobody else can read them")
  t.match(stdout, /\n200, next time since=\d+\n304, next time since=\d+\n/)
  t.match(stdout, /"0":\{"count":\d+,"digest":"(\w{64})"\}\}\}\n\1 {2}-\n/, "the digests are equal")
  t.match(stdout, /\nmore: buyNows, /i, "a page of items is shown with its headers")
  t.match(stdout, /"code":"invalid_parameter".*"ofset"/)
  t.notOk(existsSync(join(folder, "cookies.txt")), "the session is closed at the end")
})

for (const [language, { command, file }] of Object.entries(programs)) {
  await t.test(`the ${language} examples of the guide keep a correct copy`, async (t) => {
    if (!await isInstalled(t, command)) return
    const folder = t.testdir({ [file]: await programOf(language, url) })
    const poll = () => runIn(folder, { command, args: [file] })
    const readCopy = () => JSON.parse(readFileSync(join(folder, "copy.json"), "utf8")) as Copy
    const testCopy = async (t: Test, name: string) =>
      t.strictSame(versions(Object.values(readCopy().guests)), await guestVersions(database), name)

    const wrong = runIn(folder, { command, args: [file], secret: "wrong" })
    const { stderr } = await wrong.catch((error: { stderr: string }) => error) as { stderr: string }
    t.match(stderr, "invalid_credentials", "a wrong password is not retried")

    const first = await poll()
    const guests = await guestVersions(database)
    t.match(first.stdout, `${guests.length} guests of Acme Autumn Gala\n`)
    t.match(first.stdout, `${await itemCount(database)} items\n`)
    await testCopy(t, "after the first poll")

    const added = await change(database, guests.map(([id]) => id))
    const second = await poll()
    await testCopy(t, "after records were added, changed and deleted")
    t.equal(readCopy().guests[added]?.lastName, "Lovelace")
    t.notMatch(second.stdout, "again", "polling suffices, nothing is read again")
    t.ok(readCopy().etag, "the tag of a finished poll")

    let quiet = ""
    for (let n = 0; n < 5 && !quiet.includes("no new guests"); n++) quiet = (await poll()).stdout
    t.match(quiet, "no new guests", "an unchanged response is a 304")
    await testCopy(t, "after a 304")
    const kept = readCopy()
    t.ok(kept.etag)

    await new Builder(database).guest(eventId, { updated: Math.floor(Date.now() / 1000) })
    const failing = await inFrontOf(t, { list: "deletions", refusal: [500, "internal"] })
    writeFileSync(join(folder, file), (await programOf(language, url)).replaceAll(url, failing))
    await t.rejects(poll())
    t.strictSame(readCopy(), kept, "a poll that fails leaves since and tag as they were")
    writeFileSync(join(folder, file), await programOf(language, url))
    await poll()
    await testCopy(t, "after a poll that failed")

    const { [guests[9]?.[0] ?? ""]: lost, ...others } = readCopy().guests
    writeFileSync(join(folder, "copy.json"), JSON.stringify({ ...readCopy(), guests: others }))
    t.match((await poll()).stdout, `reading bucket ${bucketOf(lost?.id ?? "")} again\n`)
    await testCopy(t, "after a record was lost from the copy")

    const gone = readCopy().guests[guests[9]?.[0] ?? ""] as Guest
    const bucket = bucketOf(gone.id)
    const ofBucket = (await guestVersions(database)).map(([id]) => id).filter((id) =>
      bucketOf(id) === bucket
    )
    await database.writer.deleteFrom("guest").where("id", "in", ofBucket).execute()
    await poll()
    let id = crypto.randomUUID()
    while (bucketOf(id) !== bucket) id = crypto.randomUUID()
    const surplus = { ...readCopy().guests, [id]: { ...gone, id } }
    writeFileSync(join(folder, "copy.json"), JSON.stringify({ ...readCopy(), guests: surplus }))
    t.match((await poll()).stdout, `reading bucket ${bucket} again\n`)
    await testCopy(t, "after a record was left over whose bucket is empty")

    const stale = { id: "gone", updated: 1 }
    const old = { since: 1, etag: "", guests: { ...readCopy().guests, gone: stale } }
    writeFileSync(join(folder, "copy.json"), JSON.stringify(old))
    const resync = await poll()
    t.notMatch(resync.stdout, "again", "an old copy is read from the start, not repaired")
    await testCopy(t, "after a poll with a since before the known deletions")

    const program = await programOf(language, url)
    for (const list of ["guests", "deletions"]) {
      const early = await inFrontOf(t, { list, nextSince: 1_700_000_000 })
      writeFileSync(join(folder, file), program.replaceAll(url, early))
      await poll()
      t.equal(readCopy().since, 1_700_000_000, `the next since is the older one, that of ${list}`)
      rmSync(join(folder, "copy.json"))
    }

    await poll()
    const [removed = ""] = (await guestVersions(database))[0] ?? []
    await database.writer.deleteFrom("guest").where("id", "=", removed).execute()
    const unlogged = await inFrontOf(t, { list: "deletions", refusal: [404, "not_available"] })
    writeFileSync(join(folder, file), program.replaceAll(url, unlogged))
    t.match((await poll()).stdout, `reading bucket ${bucketOf(removed)} again\n`)
    await testCopy(t, "if deletions are not known")

    writeFileSync(join(folder, file), await programOf(language, slowServer.url))
    await poll()
    await testCopy(t, "if requests are rate-limited")
  })
}

await t.test("the guide hashes an id in three languages alike", async (t) => {
  if (!await isInstalled(t, "python3")) return
  const guide = readFileSync("plugins/docs/partners.md", "utf8")
  const [, script = "", id = ""] = /```sh\n(ID=(\S+)\n.*?)```/s.exec(guide) ?? []
  const { stdout } = await runIn(t.testdir(), { command: "sh", args: ["-eu", "-c", script] })
  const hash = createHash("sha256").update(id).digest("hex")
  t.strictSame(stdout.match(/\w{64}/g), [hash, hash, hash])
  t.match(guide, `print \`${hash.slice(0, 4)}…\``)
})

t.test("GET /docs/:file returns the examples of the page in one file", async (t) => {
  for (const [language, { file }] of Object.entries(programs)) {
    const download = await (await fetch(`${url}/docs/${file}`)).text()
    const normalize = (text: string) => text.replace(/\s+/g, " ").trim()
    t.equal(normalize(fillIn(download)), normalize(await programOf(language, url)))
  }
})

interface Guest {
  readonly id: string
  readonly updated: number
  readonly lastName?: string
}

interface Copy {
  readonly since: number
  readonly etag: string
  readonly guests: Record<string, Guest>
}

/** Returns the bucket of an id, by the first digit of its hash. */
function bucketOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 1)
}

type Version = [id: string, updated: number]

function versions(guests: readonly Guest[]): Version[] {
  return guests.map(({ id, updated }): Version => [id, updated]).sort(byId)
}

async function guestVersions({ writer }: Database): Promise<Version[]> {
  const rows = await writer.selectFrom("guest").select(["id", "updated"])
    .where("event_id", "=", eventId).execute()
  return rows.map(({ id, updated }): Version => [id, Number(updated)]).sort(byId)
}

function byId([a]: Version, [b]: Version): number {
  return a < b ? -1 : 1
}

async function itemCount({ writer }: Database): Promise<number> {
  const rows = await Promise.all(
    itemTables.map((table) =>
      writer.selectFrom(table).select("id").where("event_id", "=", eventId).execute()
    ),
  )
  return rows.flat().length
}

/** Adds a guest, changes one and deletes three; returns the id of the new one. */
async function change(database: Database, ids: readonly string[]): Promise<string> {
  const { writer } = database
  await writer.deleteFrom("guest").where("id", "in", ids.slice(0, 3)).execute()
  await writer.updateTable("guest").set({ last_name: "Byron" }).where("id", "=", ids[3] ?? "")
    .execute()
  return await new Builder(database).guest(eventId, { updated: Math.floor(Date.now() / 1000) })
}

/** Serves what the service does, but one list with another header, or not at all. Returns its URL. */
async function inFrontOf(
  t: Test,
  { list, nextSince, refusal }: {
    readonly list: string
    readonly nextSince?: number
    readonly refusal?: readonly [status: number, code: string]
  },
): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = "GET", headers } = incoming
    const sent = new Headers()
    for (const name of ["cookie", "content-type", "if-none-match"]) {
      const value = headers[name]
      if (typeof value === "string") sent.set(name, value)
    }
    const body = method === "GET" ? null : await text(incoming)
    const response = await fetch(`${url}${incoming.url}`, { method, headers: sent, body })
    const own = Object.fromEntries(response.headers)
    const isList = new URL(response.url).pathname.endsWith(`/${list}`)
    if (isList && refusal) {
      const [status, code] = refusal
      outgoing.writeHead(status).end(JSON.stringify({ code, detail: "", requestId: "" }))
      return
    }
    if (isList && nextSince !== undefined) own["next-since"] = `${nextSince}`
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) delete own[name]
    outgoing.writeHead(response.status, own).end(new Uint8Array(await response.arrayBuffer()))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function pageOf(origin: string): Promise<string> {
  return await (await fetch(`${origin}/docs`)).text()
}

/** Returns the examples of a language in the order of the page, with the reader's values. */
async function programOf(language: string, origin: string): Promise<string> {
  const page = await pageOf(origin)
  const figure = new RegExp(
    `<figure class="example" data-language="${language}">.*?<code>(.*?)</code>`,
    "gs",
  )
  const blocks = [...page.matchAll(figure)].map(([, code = ""]) => textOf(code))
  if (blocks.length < 10) throw new Error(`the page has ${blocks.length} ${language} examples`)
  return fillIn(blocks.join("\n"))
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&")
}

function fillIn(program: string): string {
  return Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), program)
}

async function runIn(
  folder: string,
  { command, args, secret = password }: {
    readonly command: string
    readonly args: readonly string[]
    readonly secret?: string
  },
): Promise<{ stdout: string }> {
  const env = { ...process.env, EXPORT_PASSWORD: secret, NO_PROXY: "127.0.0.1" }
  return await run(command, args, { cwd: folder, env, maxBuffer: 2 ** 26 })
}

async function isInstalled(t: Test, command: string): Promise<boolean> {
  const found = await run(command, ["--version"]).then(() => true, () => false)
  if (!found) t.pass(`${command} is not on this machine`, { skip: `install ${command} to run it` })
  return found
}

/** Writes the default configuration with a limit of three requests per second, and returns its path. */
function slowConfig(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "config.yaml")
  const text = readFileSync("config/event-export.yaml", "utf8")
  writeFileSync(file, text.replace(/^ {2}burst: \d+$/m, "  burst: 3"))
  return file
}
