// slow: starts the service with its workers as processes
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { Agent, get } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import t, { type Test } from "tap"
import { generous, startProcess } from "../../support/app.ts"
import { password } from "../../support/builder.ts"
import { freshWorkshop, type Workshop } from "../../support/service.ts"

const connectorA = "  - use: connector-a\n    with: { segment: connector-a, organizations: [acme] }"
const connectorB = "  - use: connector-b\n    with: { segment: connector-b, organizations: [acme] }"
const two = `workers: 2\nlimits: ${JSON.stringify(generous)}`

/** A process with two workers, and a partner's cookie. */
async function startTwo(t: Test, workshop: Workshop) {
  const { build, file } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("partner")
  await build.account("op", "operator")
  await build.grant("partner", { organization: "acme" })
  const started = await startProcess(t, "node", { CONFIG: file })
  const { url, entries } = started
  const cookies = { partner: await logIn(url, "partner"), op: await logIn(url, "op") }
  const guests = `/connector-a/v1/events/${event}/guests?since=-1`
  return {
    ...started,
    /** Asks over a connection of its own: connections go to the workers in turn. */
    ask: (
      path = guests,
      user: keyof typeof cookies = "partner",
      agent: Agent | false = false,
    ) => ask(url + path, { cookie: cookies[user], agent }),
    pids: () => entries.filter(({ msg }) => msg === "worker started").map(({ pid }) => Number(pid)),
    /** Waits until the log has so many entries of this message. */
    logged: async (msg: string, count = 1) => {
      while (entries.filter((entry) => entry["msg"] === msg).length < count) await sleep(5)
      return entries.findLast((entry) => entry["msg"] === msg)
    },
  }
}

async function logIn(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password }),
  })
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

async function ask(
  url: string,
  { cookie, agent }: { cookie: string; agent: Agent | false },
): Promise<{ status: number; body: string; isLast: boolean }> {
  return await new Promise((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (response) => {
      const status = response.statusCode ?? 0
      const isLast = response.headers.connection === "close"
      text(response).then((body) => resolve({ status, body, isLast }), reject)
    }).on("error", reject)
  })
}

function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, () => work()))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test("two workers answer on one port", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, two)
  const { ask, pids, entries, entry, logged } = await startTwo(t, workshop)
  t.equal(entry["workers"], 2)
  const answers = await times(8, ask)
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]))
  await logged("request", 10)
  const answering = new Set(entries.filter(({ msg }) => msg === "request").map(({ pid }) => pid))
  t.strictSame(answering, new Set(pids()))
  t.equal(answering.size, 2)
  t.equal(entries.filter(({ msg }) => msg === "serving").length, 1)
  t.match(JSON.parse((await ask("/status", "op")).body), {
    workers: { configured: 2, listening: 2 },
  })
})

t.test("a reload reaches all workers, or none", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, two)
  const { ask, child, logged } = await startTwo(t, workshop)
  const codes = async (path: string) =>
    new Set((await times(8, () => ask(path))).map(({ status }) => status))
  const reloads = async () =>
    (await times(8, () => ask("/status", "op"))).map(({ body }) => JSON.parse(body).lastReload)
  t.strictSame(await codes("/connector-b/v1/events"), new Set([404]))

  workshop.write(`${connectorA}\n${connectorB}`, two)
  child.kill("SIGHUP")
  await logged("configuration applied", 3)
  t.strictSame(await codes("/connector-b/v1/events"), new Set([200]))
  for (const reload of await reloads()) t.match(reload, { result: "applied", trigger: "SIGHUP" })

  const refused = "configuration refused; the old one stays in force"
  workshop.write("  - use: nothing", two)
  child.kill("SIGHUP")
  t.match(await logged(refused), { reason: /no plugin nothing/ })
  t.strictSame(await codes("/connector-b/v1/events"), new Set([200]))
  for (const reload of await reloads()) t.match(reload, { result: "refused" })

  workshop.write(connectorA, two.replace("2", "3"))
  child.kill("SIGHUP")
  t.match(await logged(refused, 2), { reason: /workers changes with a restart only: there are 2/ })
})

t.test("a worker that dies is replaced, with the configuration that is in force", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, two)
  const { ask, pids, logged } = await startTwo(t, workshop)
  workshop.write("  - use: nothing", two)
  const [victim = 0] = pids()
  process.kill(victim, "SIGKILL")
  t.match(await logged("worker ended; another takes its place"), { pid: victim, how: "SIGKILL" })
  const listening = async () =>
    JSON.parse((await ask("/status", "op")).body).workers.listening as number
  while (await listening() < 2) t.equal((await ask()).status, 200, "the other one answers")
  t.equal(pids().length, 3)
  t.strictSame(new Set((await times(8, ask)).map(({ status }) => status)), new Set([200]))

  process.kill(pids()[2] ?? 0, "SIGTERM")
  await logged("worker started", 4)
  while (await listening() < 2) t.equal((await ask()).status, 200)
})

t.test("no request fails while the configuration is reloaded", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, two)
  const { ask, child, logged, url } = await startTwo(t, workshop)
  let stop = false
  const seen: number[] = []
  const kept = await logIn(url, "partner")
  const loops = [1, 2, 3, 4].map(async (number) => {
    const path = new URL("/connector-a/v1/events", url)
    while (!stop) {
      // Half of them keep their connections.
      const answer = number % 2 ? ask() : fetch(path, { headers: { cookie: kept } })
      const { status } = await answer
      seen.push(status)
    }
  })
  for (let turn = 1; turn <= 10; turn++) {
    workshop.write([connectorA, `${connectorA}\n${connectorB}`][turn % 2] ?? "", two)
    child.kill("SIGHUP")
    await logged("configuration applied", 3 * turn)
  }
  stop = true
  await Promise.all(loops)
  t.ok(seen.length > 0)
  t.strictSame(new Set(seen), new Set([200]))
  t.comment(`${seen.length} requests`)
})

t.test("SIGTERM lets all workers answer what they have begun, and ends them", async (t) => {
  const workshop = await freshWorkshop(t)
  const begun = join(workshop.folder, "begun")
  writeFileSync(begun, "")
  writeFileSync(
    join(workshop.folder, "plugin.ts"),
    `import { appendFileSync } from "node:fs"
    import { setTimeout } from "node:timers/promises"
    import { anyone, definePlugin, handler, v } from "event-export/plugin"
    const handle = async () => {
      appendFileSync(${JSON.stringify(begun)}, "x")
      await setTimeout(1000)
      return new Response("done")
    }
    export default definePlugin({
      apiVersion: 1, name: "slow", summary: "Slow", settings: v.strictObject({}),
      mount: () => ({ prefix: "", routes: [handler("GET", "/slow", { auth: anyone, handle })] }),
    })`,
  )
  workshop.write(`${connectorA}\n  - use: ./plugin.ts`, two)
  const config = readFileSync(workshop.file, "utf8")
  writeFileSync(workshop.file, config.replace("port: 0", "port: 0, drain: 2"))
  const { ask, child, entries, logged, pids } = await startTwo(t, workshop)
  const ended = once(child, "close")
  const slow = times(8, () => ask("/slow"))
  while (readFileSync(begun, "utf8").length < 8) await sleep(5)

  let answered = 0
  // Over a connection that is kept, no request fails: the last answer says that it is the last.
  const askOnOne = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let isLast = false
    while (!isLast) {
      const answer = await ask(undefined, "partner", agent)
      answered += Number(answer.status === 200)
      isLast = answer.isLast
    }
    agent.destroy()
  }
  // New connections are answered until they are refused.
  const askAnew = async () => {
    while (true) {
      const answer = await ask().catch((error) => error.code as string)
      if (answer === "ECONNREFUSED") return
      if (typeof answer === "object") answered += Number(answer.status === 200)
    }
  }
  const asking = [askOnOne(), askOnOne(), askOnOne(), askOnOne(), askAnew(), askAnew()]
  await logged("request", 100)
  child.kill("SIGTERM")
  await Promise.all(asking)
  t.strictSame(new Set((await slow).map(({ body }) => body)), new Set(["done"]))
  t.strictSame(await ended, [0, null])
  t.strictSame(pids().filter(isAlive), [])
  const counted = entries.filter(({ route, status }) =>
    /guests$/.test(`${route}`) && status === 200
  )
  t.equal(answered, counted.length, "who was answered knows it")
  t.comment(`${answered} requests`)
})

t.test("limits count the requests of all workers together", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, `workers: 2\nlimits: { burst: 1000, quota: 6, concurrent: 50 }`)
  const { ask, entries, logged } = await startTwo(t, workshop)
  const statuses = (await times(12, ask)).map(({ status }) => status)
  t.strictSame(statuses.sort(), [...Array(6).fill(200), ...Array(6).fill(429)])
  await logged("request", 14)
  const pids = entries.filter(({ status }) => status === 200 || status === 429)
    .map(({ pid }) => pid)
  t.equal(new Set(pids).size, 2)
})

t.test("metrics are those of all workers together", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, `${two}\nadmin: { host: 127.0.0.1, port: 0 }`)
  const { ask, entry, child, logged } = await startTwo(t, workshop)
  await times(8, ask)
  child.kill("SIGHUP")
  await logged("configuration applied", 3)
  const metrics = await (await fetch(`${entry["admin"]}/metrics`)).text()
  t.match(
    metrics,
    /event_export_requests_total\{.*route=".*\/guests",method="GET",status="200"\} 8\n/,
  )
  t.match(metrics, 'event_export_reloads_total{result="applied"} 1\n')
  t.match(metrics, "event_export_ready 1\n")
  t.match(metrics, 'event_export_database_connections{state="most"}')
})

t.test("a port in use is one clear error", async (t) => {
  const workshop = await freshWorkshop(t)
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  t.teardown(() => taken.close())
  const { port } = taken.address() as AddressInfo
  workshop.write(connectorA, two)
  const config = readFileSync(workshop.file, "utf8")
  writeFileSync(workshop.file, config.replace("port: 0", `port: ${port}`))
  await t.rejects(startProcess(t, "node", { CONFIG: workshop.file }), {
    message: new RegExp(`^node did not serve: Cannot listen on 127.0.0.1:${port}: [^\\n]*\\n$`),
  })
})

t.test("under Deno, more than one worker is a problem of the configuration", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write(connectorA, two)
  await t.rejects(startProcess(t, "deno", { CONFIG: workshop.file }), {
    message: /config.yaml:1:1: workers must be 1 under Deno/,
  })
})
