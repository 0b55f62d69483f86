// slow: starts processes
import { EventEmitter, once } from "node:events"
import t from "tap"
import type { Cluster, Fork } from "../../../core/cluster.ts"
import type { Kernel } from "../../../core/kernel.ts"
import type { ReloadOutcome } from "../../../core/status.ts"
import type { ToPrimary, ToWorker } from "../../../core/workers/messages.ts"
import { Workers } from "../../../core/workers/workers.ts"

const applied: ReloadOutcome = { at: 1, result: "applied", trigger: "a test", reason: null }

/** A worker in this process, which says what a test has it say. */
class ActedWorker extends EventEmitter {
  readonly told: ToWorker[] = []

  asFork(pid: number): Fork {
    return {
      pid,
      send: async (message) => {
        this.told.push(message as ToWorker)
        this.emit((message as ToWorker).kind, message)
      },
      onMessage: (callback) => this.on("said", callback),
      onExit: (callback) => this.once("exit", callback),
      kill: () => this.emit("exit", "SIGKILL"),
    }
  }

  say(message: ToPrimary): void {
    this.emit("said", message)
  }

  kinds(): string[] {
    return this.told.map(({ kind }) => kind)
  }
}

/** Workers that begin as `begin` has them, and what their primary logs. */
function cast(begin: (worker: ActedWorker, index: number) => void) {
  const acted: ActedWorker[] = []
  const entries: Record<string, unknown>[] = []
  const changed = new EventEmitter()
  const cluster: Cluster = {
    primary: undefined,
    fork() {
      const worker = new ActedWorker()
      acted.push(worker)
      setImmediate(() => begin(worker, acted.length))
      return worker.asFork(acted.length)
    },
  }
  const note = (fields: object, message: string) => {
    entries.push({ message, ...fields })
    changed.emit(message)
  }
  const config = { text: "old" }
  const outcome = { ...applied }
  const service = {
    kernel: { config } as Kernel,
    log: { debug: note, info: note, warn: note, error: note },
    reload: async () => outcome,
  }
  return { acted, entries, changed, config, workers: new Workers({ cluster, count: 2, service }) }
}

function listen(worker: ActedWorker): void {
  worker.say({ kind: "listening", url: "http://127.0.0.1:1" })
}

t.test("Workers answers the address once all listen, and tells each how many do", async (t) => {
  const { workers, acted } = cast((worker) => {
    worker.say({ kind: "ready" })
    listen(worker)
  })
  t.equal(await workers.start(), "http://127.0.0.1:1")
  for (const { told } of acted) {
    t.match(told.filter(({ kind }) => kind === "begin"), [{ text: "old" }])
    t.match(told.findLast(({ kind }) => kind === "listening"), { workers: 2 })
  }
  for (const worker of acted) worker.once("stop", () => worker.emit("exit", "exit code 0"))
  await workers.stop()
})

t.test("Workers starts none where one cannot, and says why", async (t) => {
  const { workers, acted } = cast((worker, index) => {
    if (index === 1) listen(worker)
    else worker.say({ kind: "failed", reason: "no such address" })
  })
  const killed = Promise.all([0, 1].map(async (index) => {
    while (!acted[index]) await new Promise(setImmediate)
    await once(acted[index], "exit")
  }))
  await t.rejects(workers.start(), { message: "no such address" })
  await killed
  t.equal(acted.length, 2, "nobody is replaced")
})

t.test("Workers begins again, ever more slowly, what dies as soon as it begins", async (t) => {
  const { workers, acted, entries, changed } = cast((worker, index) => {
    if (index <= 2) listen(worker)
    else if (index <= 4) worker.emit("exit", "exit code 1")
    else {
      listen(worker)
      changed.emit("healed")
    }
  })
  await workers.start()
  const healed = once(changed, "healed")
  acted[0]?.emit("exit", "SIGSEGV")
  await healed
  const ends = entries.filter(({ message }) => /^worker ended/.test(String(message)))
  t.match(ends, [
    { pid: 1, how: "SIGSEGV", wait: 200 },
    { pid: 3, how: "exit code 1", wait: 400 },
    { pid: 4, how: "exit code 1", wait: 800 },
  ])
  t.equal(ends.length, 3)
  for (const worker of acted) worker.once("stop", () => worker.emit("exit", "exit code 0"))
  await workers.stop()
})

t.test("Workers asks a worker again that could not take what the primary has", async (t) => {
  const { workers, acted, config, entries } = cast(listen)
  await workers.start()
  let asked = 0
  for (const [index, worker] of acted.entries()) {
    worker.on("reload", () => {
      const refused = index === 1 && asked++ === 0
      worker.say({
        kind: "reloaded",
        outcome: refused ? { ...applied, result: "refused", reason: "no database" } : applied,
      })
    })
  }
  const again = once(acted[1] as ActedWorker, "reload").then(() =>
    once(acted[1] as ActedWorker, "reload")
  )
  config.text = "new"
  await workers.reload("a test")
  t.match(await again, [{ text: "new", trigger: "a test" }])
  t.match(entries.findLast(({ wait }) => wait), { pid: 2, wait: 1000 })
  t.equal(acted[0]?.kinds().filter((kind) => kind === "reload").length, 1)
  for (const worker of acted) worker.once("stop", () => worker.emit("exit", "exit code 0"))
  await workers.stop()
})
