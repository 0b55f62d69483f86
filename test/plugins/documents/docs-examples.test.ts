// slow: starts the service and the programs of the guide as processes
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { fillElsewhere, processApp } from "../../support/app.ts"
import { password } from "../../support/builder.ts"
import { type Fault, faultyProxy, type ProxiedRequest } from "../../support/faulty-proxy.ts"

const { build, database, url, logIn } = await processApp(t, "node", fillElsewhere)
const acme = await build.organization("acme")
await build.account("acme-export", "service")
await build.grant("acme-export", { organization: "acme" })

/** The guide's programs, each with the command to run it. */
const programs = [
  { command: process.execPath, file: "poll.mts" },
  { command: "python3", file: "poll.py" },
  { command: "sh", file: "poll.sh" },
]

for (const { command, file } of programs) {
  await t.test(`the guide's ${file}`, { skip: missing(command, file) }, async (t) => {
    const event = await build.event(acme, { updated: now() })
    await build.guests(event, 1500)
    const source = await (await (await logIn("acme-export"))(`/docs/${file}`)).text()
    const at = (t: Test, folder: string, of = event): Place => ({
      folder,
      start: (from = url, { secret = password, before = "" } = {}) => {
        writeFileSync(join(folder, file), source.replaceAll(url, from))
        const env = { ...process.env, EXPORT_PASSWORD: secret }
        const line = `${before} exec "$0" "$@"`
        const child = spawn("sh", ["-c", line, command, file, of], { cwd: folder, env })
        t.teardown(() => child.kill("SIGKILL"))
        return child
      },
      copy: () => file === "poll.sh" ? replayed(folder, of) : keptIn(folder, of),
    })
    const place = at(t, t.testdir())
    const testCopy = async (t: Test, { copy }: Place, name: string, of = event) =>
      t.strictSame(copy(), await guestsOf(of), name)
    /** Polls through a proxy with faults, and returns what the proxy has seen. */
    const pollWith = async (t: Test, faultOf: (request: ProxiedRequest) => Fault | undefined) => {
      const proxy = await faultyProxy(t, url, faultOf)
      await build.guest(event, { updated: now() })
      await finish(place.start(proxy.url))
      return proxy.seen
    }

    await t.test("reads everything, then changes and deletions", async (t) => {
      await finish(place.start())
      await testCopy(t, place, "after the first poll")
      t.strictSame(visibleToOthers(place.folder, event), [], "nobody else can read it")
      const ids = (await guestsOf(event)).map(([id]) => id)
      await database.writer.deleteFrom("guest").where("id", "in", ids.slice(0, 3)).execute()
      await database.writer.updateTable("guest").set({ last_name: "Byron" })
        .where("id", "=", ids[4] ?? "").execute()
      await build.guest(event, { updated: now() })
      await finish(place.start())
      await testCopy(t, place, "after changes")
    })

    await t.test("keeps its session, and gets 304 while nothing changes", async (t) => {
      const { seen, url: through } = await faultyProxy(t, url)
      await finish(place.start(through))
      const first = seen.splice(0)
      t.ok(first.every((line) => !line.startsWith("POST")), first.join("\n"))
      await finish(place.start(through))
      t.match(seen.join("\n"), /guests\?since=\d+ 304/)
      await testCopy(t, place, "after a 304")
    })

    await t.test("finds a deletion behind an empty page, and reads no deletions after a 304", async (t) => {
      const still = await build.event(acme)
      const ids = await build.guests(still, 3)
      const quiet = at(t, t.testdir(), still)
      for (let polls = 0; polls < 2; polls++) await finish(quiet.start())
      const { seen, url: through } = await faultyProxy(t, url)
      await finish(quiet.start(through))
      t.match(seen.splice(0), [/guests\?since=\d+ 304/])
      await database.writer.deleteFrom("guest").where("id", "=", ids[0] ?? "").execute()
      await finish(quiet.start(through))
      t.match(seen, [/guests\?since=\d+ 200/, /deletions\?since=\d+ 200/])
      await testCopy(t, quiet, "after a deletion", still)
    })

    await t.test("finds records that are committed late, on a later page", async (t) => {
      const stamp = now()
      for (let n = 0; n < 1010; n++) await build.guest(event, { updated: stamp })
      await finish(place.start())
      for (let n = 0; n < 20; n++) await build.guest(event, { updated: stamp - 2 })
      await finish(place.start())
      await testCopy(t, place, "after a late commit")
    })

    await t.test("follows Link among other URLs", async (t) => {
      const other = `<${url}/x>; rel="successor-version"`
      for (const join of [(a: string) => `${a}, ${other}`, (a: string) => `${other}, ${a}`]) {
        const fresh = at(t, t.testdir())
        const proxy = await faultyProxy(t, url, ({ path, count }) => {
          // Half a page that has another one: its headers must not count.
          if (count === 2) return "half"
          return path.includes("/guests")
            ? {
              change: (headers) => {
                const { link } = headers
                headers["link"] = link ? join(link.replaceAll(url, proxy.url)) : other
              },
            }
            : undefined
        })
        await finish(fresh.start(proxy.url))
        await testCopy(t, fresh, "after a walk")
      }
    })

    await t.test("repeats a request after a reset, half a body, HTML, and a date in Retry-After", async (t) => {
      const retryAfter = () => new Date(Date.now() + 1000).toUTCString()
      // The third request gets its response: programs wait longer each time for one URL.
      const faults: (() => Fault | undefined)[] = [
        () => "reset",
        () => ({ status: 429, headers: { "retry-after": retryAfter() } }),
        () => undefined,
        () => ({ status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad" }),
        () => "half",
      ]
      const seen = await pollWith(t, ({ count }) => faults[count]?.())
      t.match(seen.join("\n"), /429(.|\n)* 502(.|\n)* 200/)
      await testCopy(t, place, "after a poll with faults")
    })

    await t.test("logs in again once its session has ended", async (t) => {
      await database.writer.updateTable("session").set({ expires: 1 }).execute()
      const seen = await pollWith(t, () => undefined)
      t.equal(seen.filter((line) => line.startsWith("POST /session")).length, 1)
      await testCopy(t, place, "after a log-in")
    })

    await t.test("loses nothing if it is killed in the middle", async (t) => {
      const before = place.copy()
      await build.guest(event, { updated: now() })
      const proxy = await faultyProxy(
        t,
        url,
        ({ path }) => path.includes("/deletions") ? "stall" : undefined,
      )
      const child = place.start(proxy.url)
      while (!proxy.seen.some((line) => line.endsWith("stalled"))) await setTimeout(10)
      child.kill("SIGKILL")
      await once(child, "exit")
      t.strictSame(place.copy(), before, "the copy is that of the last finished poll")
      writeFileSync(join(place.folder, `guests-${event}.json.new`), '{"since": 17')
      await finish(place.start())
      await testCopy(t, place, "after the next poll")
    })

    await t.test("keeps its copy while there is no room for another", async (t) => {
      const before = place.copy()
      await build.guest(event, { updated: now() })
      // The most that a file may have, in blocks of 512 bytes.
      const full = { before: "ulimit -f 16;" }
      await t.rejects(finish(place.start(url, full)))
      t.strictSame(place.copy(), before)
      await finish(place.start())
      await testCopy(t, place, "once there is room")
    })

    await t.test("keeps the older Next-Since of the two lists", async (t) => {
      const [state = ""] = stateFiles(event).map((name) => join(place.folder, name))
        .filter(existsSync)
      for (const list of ["guests?", "deletions?"]) {
        const before = readFileSync(state, "utf8")
        await pollWith(
          t,
          ({ path }) =>
            path.includes(`/${list}`)
              ? { change: (headers) => void (headers["next-since"] = "1700000000") }
              : undefined,
        )
        t.match(readFileSync(state, "utf8"), /(SINCE=|"since": ?)1700000000\b/, list)
        writeFileSync(state, before)
      }
      await finish(place.start())
      await testCopy(t, place, "after a poll from before")
    })

    await t.test("goes on where deletions are not known", async (t) => {
      const headers = { "content-type": "application/problem+json" }
      const body = JSON.stringify({ code: "not_available" })
      await pollWith(
        t,
        ({ path }) => path.includes("/deletions") ? { status: 404, headers, body } : undefined,
      )
      await testCopy(t, place, "without deletions")
    })

    await t.test("reads the event that it is told to, whichever changed last", async (t) => {
      const other = await build.event(acme, { updated: now() + 1 })
      await build.guests(other, 2)
      await finish(place.start())
      await testCopy(t, place, "after another event changed")
    })

    await t.test("tries a wrong password once", async (t) => {
      const fresh = at(t, t.testdir())
      const proxy = await faultyProxy(t, url)
      const child = fresh.start(proxy.url, { secret: 'wr"o\\ng' })
      const [code] = await once(child, "close")
      t.not(code, 0)
      t.equal(proxy.seen.filter((line) => line.startsWith("POST")).length, 1)
      t.match(proxy.seen, [/POST \/session 401$|GET .* 401$/], "the password is valid JSON")
    })

    if (file !== "poll.sh") {
      await t.test("starts again if its last poll was too long ago", async (t) => {
        const kept = join(place.folder, `guests-${event}.json`)
        // A tag of now would say that nothing has changed, and end the poll.
        const { guests, ...state } = JSON.parse(readFileSync(kept, "utf8"))
        const stale = { ...guests, gone: { id: "gone", updated: 1 } }
        writeFileSync(kept, JSON.stringify({ ...state, since: 1, etag: "", guests: stale }))
        await finish(place.start())
        await testCopy(t, place, "after a new walk")
      })
    }
  })
}

t.test("the guide hashes an id in three languages alike", {
  skip: missing("python3", "python3"),
}, async (t) => {
  const guide = readFileSync("plugins/documents/docs/partners.md", "utf8")
  const [, script = "", id = ""] = /```sh\n(ID=(\S+)\n.*?)```/s.exec(guide) ?? []
  const stdout = await finish(spawn("sh", ["-eu", "-c", script]))
  const hash = createHash("sha256").update(id).digest("hex")
  t.strictSame(stdout.match(/\w{64}/g), [hash, hash, hash])
  t.match(guide, `print \`${hash.slice(0, 4)}…\``)
})

t.test("the parts of a program on the page are the program", async (t) => {
  const page = await (await fetch(`${url}/docs`)).text()
  for (
    const [language, file] of [["curl", "poll.sh"], ["typescript", "poll.mts"], [
      "python",
      "poll.py",
    ]]
  ) {
    const figures = new RegExp(
      `<figure class="example" data-language="${language}">.*?<code>(.*?)</code>`,
      "gs",
    )
    const shown = [...page.matchAll(figures)].map(([, code = ""]) => textOf(code)).join("\n")
    const download = await (await fetch(`${url}/docs/${file}`)).text()
    const normalize = (text: string) => text.replace(/\s+/g, " ").trim()
    t.equal(normalize(shown), normalize(download))
  }
})

/** A folder in which a program runs. */
interface Place {
  readonly folder: string
  /** Starts the program; `before` are commands of the shell that starts it. */
  start(from?: string, options?: { secret?: string; before?: string }): ChildProcess
  /** Returns the copy that is kept there. */
  copy(): Version[]
}

type Version = [id: string, updated: number]
type Guest = { readonly id: string; readonly updated: number }

function now(): number {
  return Math.floor(Date.now() / 1000)
}

async function guestsOf(event: string): Promise<Version[]> {
  const rows = await database.writer.selectFrom("guest").select(["id", "updated"])
    .where("event_id", "=", event).execute()
  return versions(rows.map(({ id, updated }) => ({ id, updated: Number(updated) })))
}

function versions(guests: readonly Guest[]): Version[] {
  return guests.map(({ id, updated }): Version => [id, updated])
    .sort(([a], [b]) => a < b ? -1 : 1)
}

/** Returns the copy that poll.mts and poll.py keep. */
function keptIn(folder: string, event: string): Version[] {
  const { guests } = JSON.parse(readFileSync(join(folder, `guests-${event}.json`), "utf8"))
  return versions(Object.values(guests))
}

/** Returns the copy of whoever loads what poll.sh writes, in the order of the polls. */
function replayed(folder: string, event: string): Version[] {
  const copy = new Map<string, Guest>()
  const pages = (poll: number, list: string) => {
    const found: Guest[][] = []
    for (let page = 1;; page++) {
      const file = join(folder, `guests-${event}-${poll}`, `${list}-${page}.json`)
      if (!existsSync(file)) return found.flat()
      found.push(JSON.parse(readFileSync(file, "utf8")))
    }
  }
  for (let poll = 1; existsSync(join(folder, `guests-${event}-${poll}`)); poll++) {
    for (const guest of pages(poll, "guests")) copy.set(guest.id, guest)
    for (const { id } of pages(poll, "deletions")) copy.delete(id)
  }
  return versions([...copy.values()])
}

/** Returns the files in which programs keep what the next poll begins with. */
function stateFiles(event: string): string[] {
  return [`guests-${event}.json`, `guests-${event}.state`]
}

/** Returns what others than the owner can read of what a program has written. */
function visibleToOthers(folder: string, event: string): string[] {
  return [...stateFiles(event), `guests-${event}-1`, "cookies.txt"]
    .filter((name) => existsSync(join(folder, name)))
    .filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0)
}

/** Waits for the end of a program that must succeed, and returns its output. */
async function finish(child: ChildProcess): Promise<string> {
  const output = Promise.all([text(child.stdout!), text(child.stderr!)])
  const [code] = await once(child, "close")
  const [stdout, stderr] = await output
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}${stdout}`)
  return stdout
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&")
}

/** Returns why a test is skipped whose program needs a command; false if the command is there. */
function missing(command: string, file: string): string | false {
  const needed = file === "poll.sh" ? "curl" : command
  return spawnSync(needed, ["--version"]).error ? `${needed} is not on this machine` : false
}
