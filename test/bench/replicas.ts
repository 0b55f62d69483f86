import { deepStrictEqual } from "node:assert/strict"
import { setTimeout as sleep } from "node:timers/promises"
import { type ReplicaSet, startReplicas } from "../soak/support/cluster/replicas.ts"
import { localMysql } from "../support/mysql/programs.ts"
import { type Case, cases } from "./cases.ts"
import { sendLoad } from "./load.ts"
import { enlarge } from "./mysql.ts"
import { startTogether } from "./processes.ts"
import { type Field, get, requestsTo } from "./requests.ts"
import { connections } from "./rounds.ts"
import type { BenchServer, ServerOptions } from "./servers.ts"
import { prepare } from "./set-up.ts"
import { median } from "./statistics.ts"
import { processorMs, untilIdle } from "./usage.ts"
import { Writer } from "./writer.ts"

/** The name of this measurement for `--case`. */
export const replicasName = "replicas"

/** Pages are read from one server, or from a primary with two replicas. */
export const replicaSides = ["one", "set"] as const
export type ReplicaSide = (typeof replicaSides)[number]

/** Nothing else happens, or the platform writes. */
export const replicaLoads = ["quiet", "written"] as const
export type ReplicaLoad = (typeof replicaLoads)[number]

/** What one MySQL server does in a turn. */
export interface NodeUse {
  /** Milliseconds of processor time per page, whichever server it was read from. */
  readonly perPage: number
  /** Milliseconds of processor time per second while nobody reads. */
  readonly background: number
  /** The share of the pages that were read from it. */
  readonly share: number
}

/** One load on one side. */
export interface ReplicaTurn {
  readonly pagesPerSecond: number
  /** The primary first. */
  readonly nodes: readonly NodeUse[]
  /** Milliseconds of processor time per page of all processes of the service. */
  readonly service: number
}

/** The turns, in the order of the rounds. */
export type ReplicaTurns = Readonly<
  Record<ReplicaLoad, Readonly<Record<ReplicaSide, readonly ReplicaTurn[]>>>
>

/** Transactions of the writer per second. Each changes five guests of the event that is read. */
export const transactionsPerSecond = 10

/** The share of its transactions that a writer must make. What they cost is little beside the pages. */
const least = 0.7

const processes = 2
/** Seconds. More than a busy machine makes replicas wait for a processor, so that the pages are read from them. */
const staleness = 5
const warmUpSeconds = 2
const idleSeconds = 5
/** Seconds in which replicas must come into use. */
const patience = 60

/**
 * Measures pages that no cache has, read from one MySQL server and from a primary with two asynchronous replicas, without
 * and with a writer. All servers share the processors, so what counts is how much processor time each of them takes per
 * page. Starts the service for each turn, and stops it after it.
 *
 * @throws {Error} unless both sides return the same records, from the servers that they should be read from.
 */
export async function measureReplicas(
  { rounds, seconds, signal }: {
    readonly rounds: number
    readonly seconds: number
    readonly signal: AbortSignal
  },
): Promise<ReplicaTurns> {
  const turns: Record<ReplicaLoad, Record<ReplicaSide, ReplicaTurn[]>> = {
    quiet: { one: [], set: [] },
    written: { one: [], set: [] },
  }
  await withReplicas(signal, async (stage) => {
    for (let round = 0; round < rounds; round++) {
      for (const load of replicaLoads) {
        const bodies: unknown[] = []
        for (let turn = 0; turn < replicaSides.length; turn++) {
          signal.throwIfAborted()
          const side = replicaSides[(round + turn) % replicaSides.length] as ReplicaSide
          const { body, ...measured } = await takeTurn(stage, { side, load, seconds, signal })
          turns[load][side].push(measured)
          bodies.push(body)
        }
        // The writer has changed records between its turns.
        if (load === "quiet") deepStrictEqual(bodies[0], bodies[1], "the servers' records differ")
      }
    }
  })
  return turns
}

/** The servers with their data. */
interface Stage {
  readonly set: ReplicaSet
  readonly options: Readonly<Record<ReplicaSide, ServerOptions>>
  readonly field: Omit<Field, "server" | "start" | "writer">
  readonly writer: Writer
}

async function withReplicas(
  signal: AbortSignal,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const ends: (() => unknown)[] = []
  try {
    const t = { teardown: (end: () => unknown) => void ends.unshift(end) }
    const set = await startReplicas(t, { program: await localMysql(signal), signal })
    for (const node of set.nodes) await node.connected(enlarge)
    await set.primary.run("create database bench")
    const databaseUrl = set.primary.url("bench")
    const secret = crypto.randomUUID() + crypto.randomUUID()
    const field = await prepare(new Set(["large"]), { databaseUrl, secret })
    await set.untilCaughtUp()
    const writer = await Writer.open([databaseUrl], field.data)
    t.teardown(() => writer.close())
    const hosts = set.nodes.map(({ address }) => address).join()
    const all = databaseUrl.replace(set.primary.address, hosts)
    const options = {
      one: { databaseUrl, secret },
      set: { databaseUrl: all, secret, staleness },
    }
    await work({ set, options, field, writer })
  } finally {
    for (const end of ends) await end()
  }
}

interface Turn {
  readonly side: ReplicaSide
  readonly load: ReplicaLoad
  readonly seconds: number
  readonly signal: AbortSignal
}

async function takeTurn(
  stage: Stage,
  turn: Turn,
): Promise<ReplicaTurn & { readonly body: unknown }> {
  const { set, options } = stage
  // One server alone has nobody to send its changes to.
  const command = turn.side === "one" ? "stop replica" : "start replica"
  for (const node of set.replicas) await node.run(command)
  if (turn.side === "set") await set.untilCaughtUp()
  const servers = await startTogether(processes, options[turn.side], "uncached")
  try {
    if (turn.side === "set") await untilReplicasServe(stage, servers, turn.signal)
    return await measure(stage, servers, turn)
  } finally {
    for (const { stop } of servers) await stop()
  }
}

async function measure(
  { set, field, writer }: Stage,
  servers: readonly BenchServer[],
  { side, load, seconds }: Turn,
): Promise<ReplicaTurn & { readonly body: unknown }> {
  const { status, ...requests } = await requestsOf(field, servers)
  const body = await (await get(requests, requests.paths[0] ?? "")).json()
  const send = (time: number) => sendLoad({ ...requests, connections, seconds: time }, status)
  const nodes = side === "one" ? [set.primary] : set.nodes
  const use = () => nodes.map(({ pid }) => processorMs(pid) ?? NaN)
  const useOfService = () => servers.reduce((sum, { pid }) => sum + (processorMs(pid) ?? NaN), 0)
  await send(warmUpSeconds)
  for (const { pid } of nodes) await untilIdle(pid)
  const stopWriter = load === "written" ? write(writer) : async () => {}
  try {
    const began = performance.now()
    const resting = use()
    await sleep(idleSeconds * 1000)
    const before = { nodes: use(), service: useOfService(), counts: await countPages(servers) }
    const idleTime = (performance.now() - began) / 1000
    const { responses, rate } = await send(seconds)
    const after = { nodes: use(), service: useOfService(), counts: await countPages(servers) }
    const counts = nodes.map(({ address }) =>
      (after.counts.get(address) ?? 0) - (before.counts.get(address) ?? 0)
    )
    const count = counts.reduce((a, b) => a + b)
    return {
      body,
      pagesPerSecond: rate,
      service: (after.service - before.service) / responses,
      nodes: nodes.map((_, index) => ({
        perPage: ((after.nodes[index] ?? NaN) - (before.nodes[index] ?? NaN)) / responses,
        background: ((before.nodes[index] ?? NaN) - (resting[index] ?? NaN)) / idleTime,
        share: side === "one" ? 1 : (counts[index] ?? NaN) / count,
      })),
    }
  } finally {
    await stopWriter()
  }
}

async function requestsOf(field: Stage["field"], servers: readonly BenchServer[]) {
  const pages = cases.find(({ name }) => name === "guests-full") as Case
  const server = () => Promise.resolve(servers[0] as BenchServer)
  const never = () => Promise.reject(new Error("this measurement has servers of its own"))
  return await requestsTo("uncached", pages, { ...field, server, start: never, writer: never })
}

/** Replicas come into use once a floor is known: a little later than their staleness. */
async function untilReplicasServe(
  { set, field }: Stage,
  servers: readonly BenchServer[],
  signal: AbortSignal,
): Promise<void> {
  const requests = await requestsOf(field, servers)
  for (const end = performance.now() + patience * 1000; performance.now() < end;) {
    signal.throwIfAborted()
    await get(requests, requests.paths[0] ?? "")
    const counts = await countPages(servers)
    if (set.replicas.every(({ address }) => (counts.get(address) ?? 0) > 0)) return
    await sleep(100)
  }
  throw new Error(`No page was read from some replica within ${patience} s.`)
}

/** Returns how many requests each MySQL server has had, by its address, according to the service. */
async function countPages(servers: readonly BenchServer[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { admin } of servers) {
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    const lines = metrics.matchAll(/^event_export_node_requests_total\{node="([^"]+)"\} (\d+)/gm)
    for (const [, node = "", count] of lines) {
      counts.set(node, (counts.get(node) ?? 0) + Number(count))
    }
  }
  return counts
}

/** Writes until the returned function is called, which throws if the writer was too slow, or failed. */
function write(writer: Writer): () => Promise<void> {
  const began = performance.now()
  let count = 0
  let isOver = false
  const run = async () => {
    while (!isOver) {
      await writer.commit("large")
      count++
      const due = began + count * 1000 / transactionsPerSecond
      await sleep(Math.max(0, due - performance.now()))
    }
  }
  const running = run()
  running.catch(() => {})
  return async () => {
    isOver = true
    await running
    const seconds = (performance.now() - began) / 1000
    if (count > least * seconds * transactionsPerSecond) return
    throw new Error(
      `The writer made only ${count} transactions in ${seconds} s. The measurement is void.`,
    )
  }
}

/** How often the busiest MySQL server of the set could answer, over how often the one server could; one figure per round. */
export function gains({ one, set }: ReplicaTurns[ReplicaLoad]): number[] {
  return one.map((turn, round) => busiest(turn) / busiest(set[round]))
}

/** Returns the milliseconds per page of the MySQL server that takes most. */
function busiest(turn: ReplicaTurn | undefined): number {
  return Math.max(...turn?.nodes.map(({ perPage }) => perPage) ?? [NaN])
}

/**
 * Calculates from what was measured how many times as many pages a set with so many replicas can answer as one server
 * of the same size, each with one processor. `primaryOnly` is the share of requests that only the primary answers.
 *
 * Each server has its background work (heartbeats, looks at the log, the writes themselves or what replicas apply of
 * them), and what is left is for pages.
 */
export function gainOf(
  { one, set }: ReplicaTurns[ReplicaLoad],
  { replicas, primaryOnly }: { readonly replicas: number; readonly primaryOnly: number },
): number {
  const single = one.flatMap(({ nodes }) => nodes.slice(0, 1))
  const primary = set.flatMap(({ nodes }) => nodes.slice(0, 1))
  const others = set.flatMap(({ nodes }) => nodes.slice(1))
  const left = (nodes: readonly NodeUse[]) =>
    1000 - median(nodes.map(({ background }) => background))
  const costs = (turns: readonly ReplicaTurn[], from: number) =>
    median(
      turns.flatMap(({ nodes, pagesPerSecond }) =>
        nodes.slice(from).map(({ perPage, background, share }) =>
          (perPage - background / pagesPerSecond) / share
        )
      ),
    )
  const byOne = left(single) / costs(one, 0)
  const byPrimary = left(primary) / costs(one, 0) / primaryOnly
  const byReplicas = left(others) / costs(set, 1) * replicas / (1 - primaryOnly)
  return Math.min(byPrimary, byReplicas) / byOne
}
