import type { Teardown } from "../../../support/database.ts"
import { type ClusterOptions, makePasswords, type Passwords } from "./node-files.ts"
import { ClusterNode } from "./node.ts"

/** How a server replicates while it is a replica. */
interface ReplicaOptions {
  /** Seconds that it stays behind the primary (0). */
  readonly delay?: number
  /** Threads that apply transactions (4). */
  readonly workers?: number
  /** False for transactions that may become visible in another order than at the primary (true). */
  readonly preservesOrder?: boolean
  /** True for a replica that accepts writes. */
  readonly isWritable?: boolean
  /** More flags, such as `--replicate-ignore-table=…`. */
  readonly flags?: readonly string[]
}

interface SetOptions extends ClusterOptions {
  /** The replicas: two usual ones if nothing is given. */
  readonly replicas?: readonly ReplicaOptions[]
}

/** A MySQL primary and its asynchronous replicas on 127.0.0.1, which a test may disturb. */
export class ReplicaSet {
  readonly nodes: readonly ClusterNode[]
  readonly #options: ReadonlyMap<ClusterNode, ReplicaOptions>
  readonly #passwords: Passwords
  #primary: ClusterNode

  /** Starts the servers. The first one is the primary. */
  static async start(t: Teardown, options: SetOptions): Promise<ReplicaSet> {
    const passwords = makePasswords()
    const { replicas = [{}, {}] } = options
    const own = [{}, ...replicas]
    const nodes = await Promise.all(own.map(() => ClusterNode.create(options, passwords)))
    t.teardown(() => Promise.all(nodes.map((node) => node.remove())))
    const set = new ReplicaSet(nodes, {
      options: new Map(nodes.map((node, index) => [node, own[index] ?? {}])),
      passwords,
    })
    await Promise.all(nodes.map((node) => node.start(set.#flags(node))))
    await Promise.all(set.replicas.map((node) => set.#follow(node)))
    return set
  }

  private constructor(
    nodes: readonly ClusterNode[],
    { options, passwords }: {
      readonly options: ReadonlyMap<ClusterNode, ReplicaOptions>
      readonly passwords: Passwords
    },
  ) {
    this.nodes = nodes
    this.#options = options
    this.#passwords = passwords
    this.#primary = nodes[0] as ClusterNode
  }

  get primary(): ClusterNode {
    return this.#primary
  }

  get replicas(): readonly ClusterNode[] {
    return this.nodes.filter((node) => node !== this.#primary)
  }

  /** Lets a replica receive transactions, and not apply them, until `startApplier`. */
  async stopApplier(node: ClusterNode): Promise<void> {
    await node.run("stop replica sql_thread")
  }

  async startApplier(node: ClusterNode): Promise<void> {
    await node.run("start replica sql_thread")
  }

  /** Waits until these replicas (all) have what the primary has at this moment. */
  async untilCaughtUp(nodes: readonly ClusterNode[] = this.replicas): Promise<void> {
    const [row] = await this.#primary.run("select @@global.gtid_executed as all_of_it")
    await Promise.all(nodes.map((node) => untilExecuted(node, row?.["all_of_it"])))
  }

  /** Starts a server that was killed, as what it was before. */
  async restart(node: ClusterNode): Promise<void> {
    const locked = node === this.#primary || this.#options.get(node)?.isWritable ? "OFF" : "ON"
    await node.start([...this.#flags(node), `--super-read-only=${locked}`])
  }

  /** Makes a replica the primary without losing a commit, as before maintenance. */
  async switchTo(node: ClusterNode): Promise<void> {
    const old = this.#primary
    if (node === old) return
    await old.run("set global super_read_only = on")
    await this.#hurry(node)
    await this.untilCaughtUp([node])
    await this.#promote(node)
    await Promise.all(this.replicas.map((each) => this.#follow(each)))
  }

  /**
   * Kills the primary after it has made commits that a replica has not received, and makes that replica the primary.
   * Those commits are lost. `meanwhile` is when they are made. Returns the servers that have them, which cannot follow
   * until `rebuild`: the one that was killed, and with `othersHave` all others, which still answer.
   */
  async failOver(
    node: ClusterNode,
    meanwhile: () => Promise<void>,
    othersHave = false,
  ): Promise<readonly ClusterNode[]> {
    const old = this.#primary
    const others = this.replicas.filter((each) => each !== node)
    // Otherwise the one that will be the primary has at least as much as the others.
    const stopped = othersHave ? [node] : [...others, node]
    for (const each of stopped) await each.run("stop replica io_thread")
    await meanwhile()
    await old.kill()
    await this.#hurry(node)
    const [row] = await node.run(
      `select received_transaction_set as received
      from performance_schema.replication_connection_status`,
    )
    await untilExecuted(node, row?.["received"])
    await this.#promote(node)
    if (othersHave) return [old, ...others]
    await Promise.all(others.map((each) => this.#follow(each)))
    return [old]
  }

  /** Makes a server a replica that begins with nothing: one that has commits which the primary has not. */
  async rebuild(node: ClusterNode): Promise<void> {
    // Until it follows, it must not look like another primary.
    for (const relay of node.relays) relay.goAway()
    await node.kill()
    await node.forget()
    await node.start(this.#flags(node))
    await this.#follow(node)
    await this.untilCaughtUp([node])
    for (const relay of node.relays) await relay.comeBack()
  }

  /** Brings every server back that has ended or is paused, and waits until all have what the primary has. */
  async heal(): Promise<void> {
    for (const node of this.nodes) {
      if (node.isPaused) node.resume()
      if (!node.isRunning) await this.restart(node)
    }
    await Promise.all(this.replicas.map((node) => node.run("start replica")))
    await this.untilCaughtUp()
  }

  /** Ends the delay of a replica. It has its delay again when it follows another primary. */
  async #hurry(node: ClusterNode): Promise<void> {
    await node.run(
      "stop replica sql_thread",
      "change replication source to source_delay = 0",
      "start replica sql_thread",
    )
  }

  async #promote(node: ClusterNode): Promise<void> {
    await node.run("stop replica", "reset replica all")
    this.#primary = node
    await node.run("set global super_read_only = off", "set global read_only = off")
  }

  async #follow(node: ClusterNode): Promise<void> {
    const { delay = 0, isWritable = false } = this.#options.get(node) ?? {}
    if (!isWritable) await node.run("set global super_read_only = on")
    const source = {
      host: "'127.0.0.1'",
      port: this.#primary.port,
      user: "'repl'",
      password: `'${this.#passwords.repl}'`,
      auto_position: 1,
      connect_retry: 1,
      retry_count: 86_400,
      heartbeat_period: 1,
      delay,
    }
    const settings = Object.entries(source).map(([name, value]) => `source_${name} = ${value}`)
    await node.run(
      "stop replica",
      `change replication source to ${settings}, get_source_public_key = 1`,
      "start replica",
    )
  }

  #flags(node: ClusterNode): string[] {
    const { workers = 4, preservesOrder = true, flags = [] } = this.#options.get(node) ?? {}
    return [
      `--replica-parallel-workers=${workers}`,
      `--replica-preserve-commit-order=${preservesOrder ? "ON" : "OFF"}`,
      "--replica-net-timeout=3",
      // A replica shows its filters only with it.
      "--performance-schema=ON",
      "--performance-schema-instrument=%=OFF",
      ...flags,
    ]
  }
}

/** Starts a primary and two replicas for a test, and ends them afterwards. */
export async function startReplicas(t: Teardown, options: SetOptions): Promise<ReplicaSet> {
  return await ReplicaSet.start(t, options)
}

async function untilExecuted(node: ClusterNode, gtids: string): Promise<void> {
  const [row] = await node.run(`select wait_for_executed_gtid_set('${gtids}', 120) as late`)
  if (row?.["late"] === 0) return
  const [state] = await node.run("show replica status")
  const told = ["Replica_IO_State", "Replica_SQL_Running_State", "Last_IO_Error", "Last_SQL_Error"]
    .map((name) => `${name}: ${state?.[name]}`)
  throw new Error(`${node.address} has not caught up within 120 s; ${told.join("; ")}`)
}
