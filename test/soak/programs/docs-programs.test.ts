import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { type App, fillElsewhere } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { password } from "../../support/builder.ts"
import { Proxy } from "../../support/pull/proxy.ts"
import { missing } from "./guide-commands.ts"

const { build, database, url, logIn } = await processApp(t, "node", fillElsewhere)
const acme = await build.organization("acme")
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })

/** The guide's programs, each with the command to run it, and how to read the copy that it keeps. */
const programs = [
  { command: "sh", file: "feed.sh", needs: "curl", copyIn: copyOfShell, keeps: "copy.ndjson" },
  {
    command: "python3",
    file: "feed.py",
    needs: "python3",
    copyIn: copyOfPython,
    keeps: "copy.json",
  },
]

for (const { command, file, needs, copyIn, keeps } of programs) {
  await t.test(`the guide's ${file}`, { skip: missing(needs) }, async (t) => {
    const event = await build.event(acme, { updated: now() })
    await build.guests(event, 1500)
    for (const category of itemCategories) await build.item(category, event)
    const request = await logIn("acme-export")
    const source = await (await request(`/docs/${file}`)).text()
    t.match(source, `/acme/v1/events/${event}/changes`, "it names the family and the event")
    const token = await tokenOf("acme-export")
    const folder = t.testdir()
    const start = (from = url, { EXPORT_TOKEN = token, before = "" } = {}) => {
      writeFileSync(join(folder, file), source.replaceAll(url, from))
      const line = `${before} exec "$0" "$@"`
      const child = spawn("sh", ["-c", line, command, file], {
        cwd: folder,
        env: { ...process.env, EXPORT_TOKEN },
        detached: true,
      })
      t.teardown(() => kill(child))
      return child
    }
    const copy = () => copyIn(folder)
    const testCopy = async (t: Test, name: string) =>
      t.strictSame(copy(), await truthOf(request, event), name)
    const proxy = await Proxy.open(url)
    t.teardown(() => proxy.close())
    proxy.own = { "400": (response) => response.writeHead(400).end() }

    await t.test("makes a copy of all guests and items, and then applies changes and deletions", async (t) => {
      await finish(start())
      await testCopy(t, "after the first run")
      t.strictSame(visibleToOthers(folder), [], "nobody else can read it")
      const ids = [...copy().keys()].filter((key) => key.startsWith("guests "))
        .map((key) => key.slice(7))
      await database.writer.deleteFrom("guest").where("id", "in", ids.slice(0, 3)).execute()
      await database.writer.deleteFrom("ticket").where("event_id", "=", event).execute()
      await database.writer.updateTable("guest").set({ last_name: 'By"ron\\' })
        .where("id", "=", ids[4] ?? "").execute()
      await build.guest(event, { updated: now() })
      await finish(start())
      await testCopy(t, "after changes")
    })

    await t.test("keeps its copy if it is killed, gets half a page or an error, or has no room", async (t) => {
      const before = copy()
      await build.guest(event, { updated: now() })
      proxy.choose = () => "a response that never ends"
      const asked = proxy.after(1)
      const child = start(proxy.url)
      await asked
      kill(child)
      await once(child, "exit")
      t.strictSame(copy(), before, "killed")
      for (const fault of ["a response that breaks off", "400"]) {
        proxy.choose = () => fault
        await t.rejects(finish(start(proxy.url)))
        t.strictSame(copy(), before, fault)
      }
      // The most that a file may have, in blocks of 512 bytes.
      await t.rejects(finish(start(url, { before: "ulimit -f 16;" })))
      t.strictSame(copy(), before, "no room")
      await t.rejects(finish(start(url, { EXPORT_TOKEN: "wrong" })))
      // Another name of the file, which keeps what it has if it is replaced as a whole.
      const former = join(folder, "former")
      linkSync(join(folder, keeps), former)
      const text = readFileSync(former, "utf8")
      await finish(start())
      await testCopy(t, "after the next run")
      t.ok(readFileSync(former, "utf8") === text, "a kill leaves the former copy, or the new one")
    })

    if (file === "feed.sh") {
      await t.test("repeats a request after 429 and 503, and starts again after 410", async (t) => {
        const faults = ["429 with seconds", "503 with seconds", "410 resync"]
        proxy.choose = () => faults.shift()
        await build.guest(event, { updated: now() })
        await finish(start(proxy.url))
        t.ok(proxy.seen.some(({ path }) => /after=$/.test(path)), "it begins again")
        await testCopy(t, "after a new walk")
      })
    }
  })
}

/** The programs of the page that follow all events, by the language of their blocks. */
const followers = {
  python: ["python3", "follow.py"],
  js: [process.execPath, "follow.mjs"],
} as const

for (const [language, [command, file]] of Object.entries(followers)) {
  await t.test(`the guide's ${file} follows all events`, { skip: missing(command) }, async (t) => {
    const events = [await build.event(acme), await build.event(acme)]
    for (const event of events) await build.guests(event, 1500)
    const request = await logIn("acme-export")
    const [, page = ""] = (await (await request("/docs/sync.md")).text()).split("## All events")
    const [, code = ""] = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "m").exec(page) ?? []
    const folder = t.testdir()
    const own = code.replace(/"http:.*\/v1"/, `"${url}/acme/v1"`)
    writeFileSync(join(folder, file), own)
    const env = { ...process.env, EXPORT_TOKEN: await tokenOf("acme-export") }
    const start = () => {
      const child = spawn(command, [file], { cwd: folder, env, detached: true, stdio: "inherit" })
      t.teardown(() => kill(child))
      return child
    }
    const isRight = async (event: string) => {
      const copy = join(folder, `${event}.json`)
      if (!existsSync(copy)) return false
      const records = byKey(Object.entries(JSON.parse(readFileSync(copy, "utf8")).records))
      return isDeepStrictEqual(records, await truthOf(request, event))
    }
    const follows = async (events: readonly string[]) => {
      for (const event of events) while (!await isRight(event)) await setTimeout(50)
    }
    const child = start()
    await follows(events)
    const [event = ""] = events
    const guest = await build.guest(event, { updated: now() })
    await follows(events)
    await database.writer.deleteFrom("guest").where("id", "=", guest).execute()
    events.push(await build.event(acme))
    await build.guest(events[2] ?? "", { updated: now() })
    await follows(events)
    kill(child)
    await build.guest(event, { updated: now() })
    start()
    await follows(events)
    t.strictSame(
      events.filter((event) => (statSync(join(folder, `${event}.json`)).mode & 0o077) !== 0),
      [],
    )
  })
}

/** Returns a token of an account. */
async function tokenOf(username: string): Promise<string> {
  const response = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username, password }),
  })
  return (await response.json()).token
}

/** Records by category and id, in this order. */
type RecordsByKey = ReadonlyMap<string, unknown>

function byKey(records: readonly (readonly [key: string, record: unknown])[]): RecordsByKey {
  return new Map(records.toSorted(([a], [b]) => a < b ? -1 : 1))
}

function copyOfShell(folder: string): RecordsByKey {
  const lines = readFileSync(join(folder, "copy.ndjson"), "utf8").trim().split("\n")
  const changes = lines.slice(0, -1).map((line) => JSON.parse(line))
  return byKey(changes.map(({ category, id, record }) => [`${category} ${id}`, record] as const))
}

function copyOfPython(folder: string): RecordsByKey {
  const { records } = JSON.parse(readFileSync(join(folder, "copy.json"), "utf8"))
  return byKey(Object.entries(records))
}

/** Returns what a copy of an event should have, from its lists. */
async function truthOf(request: App["request"], event: string): Promise<RecordsByKey> {
  const records: [string, unknown][] = []
  for (const list of ["guests", "items"]) {
    for (let offset = 0, found = 1; found > 0; offset += 1000) {
      const path = `/acme/v1/events/${event}/${list}?since=-1&offset=${offset}`
      const page: Listed[] | Record<string, Listed[]> = await (await request(path)).json()
      const parts = Object.entries(Array.isArray(page) ? { guests: page } : page)
      const all = parts.flatMap(([category, part]) =>
        part.map((record): [string, unknown] => [`${category} ${record.id}`, record])
      )
      found = all.length
      records.push(...all)
    }
  }
  return byKey(records)
}

type Listed = Readonly<{ id: string } & Record<string, unknown>>

/** Returns what others than the owner can read of what a program has written. */
function visibleToOthers(folder: string): string[] {
  return ["copy.ndjson", "copy.json"].filter((name) => existsSync(join(folder, name)))
    .filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
}

/** Kills a program with all that it has started. */
function kill(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGKILL")
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** Waits for the end of a program that must succeed, and returns its output. */
async function finish(child: ChildProcess): Promise<string> {
  const output = Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = await once(child, "close")
  const [stdout, stderr] = await output
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}${stdout}`)
  return stdout
}
