import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { groups, markdownPath } from "../../../plugins/documents/docs/pages.ts"
import { fillElsewhere } from "../../support/app.ts"
import { processApp } from "../support/service-process.ts"
import { password } from "../../support/builder.ts"
import { proseOf } from "../../support/documents.ts"
import { missing } from "./guide-commands.ts"
import { withoutDeno } from "../../support/runtimes.ts"
import { differences, parseShown } from "./shown-json.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { strictCompiler } from "../../support/strict-compiler.ts"

/** A block of code on a page. */
interface Block {
  readonly page: string
  /** The heading above it. */
  readonly heading: string
  readonly language: string
  readonly code: string
  /** The blocks of JSON right below, which show the response to each request. */
  readonly responses: readonly string[]
}

// Receivers of pings are on this machine.
const { build, database, logIn } = await processApp(t, "node", fillElsewhere, {
  DEMO_LIVE: "true",
})
const event = await fillEvent()
const request = await logIn("acme-export")
const token = await makeToken()
/** A cursor of the feed from before the deletions: a copy that begins later is not told about them. */
const { next: cursor } = await (await request(`/acme/v1/events/${event}/changes?after=now`)).json()
await deleteRecords()
/** All blocks run in this folder, one after the other, as a reader runs them. */
const folder = t.testdir()
const commands = prepareCommands()

const pages = groups.flatMap(({ entries }) => entries)
  .flatMap(({ file }) => file === undefined ? [] : [{ file }])
const texts = new Map(
  await Promise.all(
    pages.map(async (page) =>
      [page.file, await (await request(markdownPath(page))).text()] as const
    ),
  ),
)
const blocks = [...texts].flatMap(([page, markdown]) => blocksIn(page, markdown))
/** The bodies that receivers have got. */
const pinged: unknown[] = []

/** Runs the blocks of a language, and returns what they print. A block of another language fails the test. */
const runners: Readonly<Record<string, (t: Test, block: Block) => Promise<string>>> = {
  sh: runShell,
  python: (t, { code }) => run(t, "python3", ["-c", code]),
  ts: runTypeScript,
  json: testSent,
}

/** Where programs for blocks of a language are not on this machine, the blocks are skipped. */
const needs: Readonly<Record<string, readonly string[]>> = {
  sh: ["bash", "curl", "sha256sum"],
  python: ["python3"],
}

for (const block of logInFirst(blocks)) {
  const { page, heading, language, code, responses } = block
  // `docs-programs.test.ts` runs those that never end.
  if (heading === "All events") continue
  const skip = needs[language]?.map(missing).find((reason) => reason) ?? false
  await t.test(`${page}, ${heading}: ${language}`, { skip }, async (t) => {
    const runner = runners[language]
    if (!runner) throw new Error(`nobody runs ${language}`)
    const output = await runner(t, block)
    const [, promised] = / # (\w+)…$/m.exec(code) ?? []
    if (promised) t.match(output, promised, "it prints what its comment says")
    const sent = responses.length === 1 ? [output] : output.split("\n")
    for (const [at, response] of responses.entries()) {
      t.strictSame(differences(parseShown(response), JSON.parse(sent[at] ?? "")), [])
    }
  })
}

t.test("the headers in the table are headers that the service sends", async (t) => {
  const [, table = ""] = /^## Headers\n(.*?)(?=^## )/ms.exec(texts.get("parameters.md") ?? "") ?? []
  const named = [...table.matchAll(/^\| `([\w-]+)/gm)].map(([, name = ""]) => name.toLowerCase())
  t.ok(named.length > 5)
  const responses = await Promise.all([
    ask("/guests?limit=1"),
    ask("/guests", { "accept-encoding": "gzip" }),
    ask("/items?limit=1"),
    ask("/guests/deletions"),
    ask(`/guests/digest?fields=00000000&mine=${"0".repeat(64)}`),
    ask("/changes?after=now"),
    ask("/changes?limit=1", { prefer: "wait=1" }),
  ])
  const sent = new Set(responses.flatMap(({ headers }) => [...headers.keys()]))
  t.strictSame(named.filter((name) => !sent.has(name)), [])
})

/** Adds a customer with an event that has records with all fields. */
async function fillEvent(): Promise<string> {
  const acme = await build.organization("acme")
  await build.account("acme-export", "service")
  await build.grant("acme-export", { organization: "acme" })
  const event = await build.event(acme, { external_id: "GALA-2026" })
  await build.guests(event, 300)
  for (const category of [...itemCategories, ...itemCategories]) {
    await build.item(category, event, { categories: '["travel"]' })
  }
  const now = Math.floor(Date.now() / 1000)
  const newest = await build.guest(event, { external_id: "crm-1815", updated: now })
  await build.address(event, newest)
  await build.consent(event, newest)
  return event
}

async function deleteRecords(): Promise<void> {
  const records = [
    ["guest", await build.guest(event)],
    ["ticket", await build.item("tickets", event)],
  ] as const
  for (const [table, id] of records) {
    await database.writer.deleteFrom(table).where("id", "=", id).execute()
  }
}

async function makeToken(): Promise<string> {
  const response = await request("/session/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "programs", lifetime: 3600 }),
  })
  return (await response.json()).token
}

/** Returns the blocks of a text in the order in which they are. Requests come with the responses below them. */
function blocksIn(page: string, markdown: string): Block[] {
  const found: (Block & { end: number })[] = []
  for (
    const { index, 0: whole, 1: language = "", 2: code = "" } of markdown.matchAll(
      /^```(\w*)\n(.*?)^```$/gms,
    )
  ) {
    const before = found.at(-1)
    const headings = [...proseOf(markdown.slice(0, index)).matchAll(/^#+ (.*)$/gm)]
    const heading = headings.at(-1)?.[1] ?? ""
    const follows = before?.language === "sh" && markdown.slice(before.end, index).trim() === ""
    const end = index + whole.length
    if (before && follows && language === "json") {
      found[found.length - 1] = { ...before, responses: [...before.responses, code], end }
    } else found.push({ page, heading, language, code, responses: [], end })
  }
  return found
}

/** The first page shows requests before it says how to log in. */
function logInFirst(blocks: readonly Block[]): Block[] {
  const isLogIn = ({ code }: Block) => code.includes("-c cookies.new")
  return [...blocks.filter(isLogIn), ...blocks.filter((block) => !isLogIn(block))]
}

/** Makes the commands of this project the ones that npx and node are in the blocks. */
function prepareCommands(): string {
  const bin = join(folder, "bin")
  mkdirSync(bin)
  const npx = join(bin, "npx")
  writeFileSync(
    npx,
    `#!/bin/sh\ncommand=$1; shift\nexec "${
      resolve("test/soak/openapi/node_modules/.bin")
    }/$command" "$@"\n`,
  )
  chmodSync(npx, 0o755)
  // An error of the service ends a block, unless a block shows it.
  writeFileSync(join(bin, ".curlrc"), "fail-with-body\n")
  return bin
}

async function runShell(t: Test, { code, responses }: Block): Promise<string> {
  const showsError = responses[0]?.includes('"/problems/')
  return await run(
    t,
    "bash",
    ["-euo", "pipefail", "-c", code],
    showsError ? {} : { CURL_HOME: commands },
  )
}

/** The program of a block, on each runtime. */
function programsOn(file: string): string[][] {
  const { DENO } = process.env
  // The block runs in another folder.
  const deno = [DENO?.includes("/") ? resolve(DENO) : "deno", "run", "-A", "--no-check", file]
  return [[process.execPath, file], ...withoutDeno ? [] : [deno]]
}

interface Listed {
  readonly id: string
  readonly state: string
}

/** Lets a receiver of pings run on each runtime until it has polled: after the challenge, and after a change. */
async function runReceiver(t: Test, { code }: Block): Promise<string> {
  const own = `const parse = JSON.parse
    JSON.parse = (text: string) => { console.log(text); return parse(text) }
    function poll(event: string): void { console.log(JSON.stringify(event)) }
  `
  const port = await findStablePort()
  writeFileSync(join(folder, "receiver.mts"), own + code.replace("8081", String(port)))
  await run(t, process.execPath, [...strictCompiler, "receiver.mts"])
  for (const [command = "", ...args] of programsOn("receiver.mts")) {
    const json = { "content-type": "application/json" }
    const url = `http://127.0.0.1:${port}/pings`
    const added = await request("/session/pings", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ url }),
    })
    const { id, secret } = await added.json()
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...process.env, PING_SECRET: secret },
      stdio: ["ignore", "pipe", "inherit"],
    })
    const closed = once(child, "close")
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    // Another change with each look, as the first one may come before the receiver is on.
    const changes = setInterval(() => void build.guest(event), 1000)
    try {
      const forged = { "webhook-id": "m", "webhook-timestamp": "1", "webhook-signature": "v1,x" }
      await until(async () => {
        const answer = await fetch(url, { method: "POST", headers: forged, body: "{}" })
        return answer.status === 401
      })
      t.equal((await request(`/session/pings/${id}/challenge`, { method: "POST" })).status, 202)
      while (pinged.at(-1) !== event) {
        const { value, done } = await lines.next()
        if (done) throw new Error("the receiver has ended")
        pinged.push(JSON.parse(value))
      }
      pinged.pop()
      // What became of it is written a little later.
      await until(async () => {
        const listed = await (await request("/session/pings")).json() as Listed[]
        return listed.some((each) => each.id === id && each.state === "on")
      })
    } finally {
      clearInterval(changes)
      child.kill()
      await closed
      await request(`/session/pings/${id}`, { method: "DELETE" })
    }
  }
  return ""
}

/** Repeats a look until it finds what it looks for; nobody may listen yet. */
async function until(look: () => Promise<boolean>): Promise<void> {
  while (!await look().catch(() => false)) await setTimeout(50)
}

/** Compiles a block with the types of the client, and runs it on each runtime. */
async function runTypeScript(t: Test, block: Block): Promise<string> {
  const { code } = block
  if (code.includes("createServer")) return await runReceiver(t, block)
  for (const file of ["pull.mjs", "pull.d.mts"]) {
    writeFileSync(join(folder, file), await (await request(`/docs/${file}`)).text())
  }
  // What a reader has to write: where changes go, and what was saved last.
  const own = `import type { Change, State } from "./pull.mjs"
    const state: State | undefined = undefined
    const applied: Exclude<Change, { type: "commit" }>[] = []
    function save(state: State): void { console.log(applied.length, JSON.stringify(state).length) }
    function apply(change: Exclude<Change, { type: "commit" }>): void { applied.push(change) }
  `
  writeFileSync(join(folder, "example.mts"), own + code)
  await run(t, process.execPath, [...strictCompiler, "example.mts"])
  for (const [command = "", ...args] of programsOn("example.mts")) {
    t.match(await run(t, command, args), /^\d{3,} /m, "it has saved the records")
  }
  return ""
}

/** JSON without a request above it is a part of a response, which the sentence before it names. */
async function testSent(t: Test, { code }: Block): Promise<string> {
  t.ok((await sentSamples()).some((sent) => isShownBy(code, sent)), code)
  return code
}

function isShownBy(shown: string, sent: unknown): boolean {
  return differences(parseShown(shown), sent).length === 0
}

/** Returns parts of responses that the pages show alone. */
async function sentSamples(): Promise<unknown[]> {
  const json = async (path: string) => await (await ask(path)).json()
  const lines = async (path: string) => {
    const text = await (await ask(path, { accept: "application/x-ndjson" })).text()
    return text.trim().split("\n").map((line) => JSON.parse(line))
  }
  return [
    ...await json("/guests/deletions"),
    ...await json("/items/deletions"),
    await json("/items/digest"),
    (await lines("/guests/export")).at(-1),
    ...await lines(`/changes?after=${cursor}`),
    ...pinged,
  ]
}

/** Requests something of the event. */
function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(`/acme/v1/events/${event}${path}`, { headers })
}

/** Runs a command in the folder of the blocks. It must succeed. Returns what it prints. */
async function run(
  t: Test,
  command: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const { PATH } = process.env
  const child = spawn(command, args, {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${commands}:${join(process.execPath, "..")}:${PATH}`,
      EXPORT_PASSWORD: password,
      EXPORT_TOKEN: token,
      ...more,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  t.equal(code, 0, `${errors}${output}`)
  return output
}
