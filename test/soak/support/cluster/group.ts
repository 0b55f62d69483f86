import { setTimeout as sleep } from "node:timers/promises"
import type { Teardown } from "../../../support/database.ts"
import { findStablePort } from "../../../support/stable-port.ts"
import { type ClusterOptions, makePasswords } from "./node-files.ts"
import { ClusterNode } from "./node.ts"

interface GroupOptions extends ClusterOptions {
  /** How many servers (3). */
  readonly size?: number
  /** More flags for each server. */
  readonly flags?: readonly string[]
}

/** A member of a group, as another one sees it. */
interface Member {
  readonly uuid: string
  readonly state: string
  readonly role: string
}

const groupName = "6d4f6a70-3b1a-4d57-9a43-8f3a1d2c5b10"

/** Milliseconds after which a group counts as broken for good. */
const limit = 60_000

/** MySQL servers as one single-primary group (Group Replication) on 127.0.0.1, which a test may disturb. */
export class Group {
  readonly nodes: readonly ClusterNode[]
  readonly #flags: ReadonlyMap<ClusterNode, readonly string[]>

  /** Starts the servers and their group. The first one is its primary. */
  static async start(t: Teardown, options: GroupOptions): Promise<Group> {
    const { size = 3, flags = [] } = options
    const passwords = makePasswords()
    const nodes = await Promise.all(
      Array.from({ length: size }, () => ClusterNode.create(options, passwords)),
    )
    t.teardown(() => Promise.all(nodes.map((node) => node.remove())))
    const addresses: string[] = []
    for (const _ of nodes) addresses.push(`127.0.0.1:${await findStablePort()}`)
    const group = new Group(
      nodes,
      new Map(nodes.map((node, index) => [node, [
        ...groupFlags(addresses, index),
        ...flags,
      ]])),
    )
    await Promise.all(nodes.map((node) => group.#start(node)))
    const channel = "for channel 'group_replication_recovery'"
    const source = `source_user = 'repl', source_password = '${passwords.repl}'`
    await Promise.all(
      nodes.map((node) => node.run(`change replication source to ${source} ${channel}`)),
    )
    await group.bootstrap(nodes[0] as ClusterNode)
    await Promise.all(nodes.slice(1).map((node) => node.run("start group_replication")))
    await group.untilOnline()
    return group
  }

  private constructor(
    nodes: readonly ClusterNode[],
    flags: ReadonlyMap<ClusterNode, readonly string[]>,
  ) {
    this.nodes = nodes
    this.#flags = flags
  }

  /** Makes a group of this node alone, which the others can join. */
  async bootstrap(node: ClusterNode): Promise<void> {
    await node.run(
      "set global group_replication_bootstrap_group = on",
      "start group_replication",
      "set global group_replication_bootstrap_group = off",
    )
  }

  /** Returns the primary that most members agree on; undefined if there is none at this moment. */
  async primary(): Promise<ClusterNode | undefined> {
    const views = await Promise.all(this.nodes.map(membersOf))
    return this.nodes.find((node, index) => {
      // One that has been paused takes itself for the primary for a while.
      const votes = views.filter((view) => view.some((member) => isPrimary(member, node))).length
      return views[index]?.some((member) => isPrimary(member, node)) &&
        votes * 2 > views[index].length
    })
  }

  /** Waits for a primary that accepts writes. @throws if there is none for a minute. */
  async untilPrimary(): Promise<ClusterNode> {
    return await this.#until("a primary", async () => {
      const primary = await this.primary()
      const [row] = await primary?.ask("select @@super_read_only as locked") ?? []
      return row?.["locked"] === 0 ? primary : undefined
    })
  }

  /** Waits until these nodes (all) are members that have caught up. @throws if they are not within a minute. */
  async untilOnline(nodes: readonly ClusterNode[] = this.nodes): Promise<void> {
    await this.#until("all members", async () => {
      const online = new Set((await this.#members()).filter(isOnline).map(({ uuid }) => uuid))
      return nodes.every(({ uuid }) => online.has(uuid)) || undefined
    })
  }

  /** Moves the primary to another node, as before maintenance. */
  async switchTo(node: ClusterNode): Promise<void> {
    await node.run(`select group_replication_set_as_primary('${node.uuid}')`)
  }

  /** Starts a node that was killed, once the group has noticed that. It joins the group if there is one. */
  async restart(node: ClusterNode): Promise<void> {
    // A member that comes back before would wait for a minute, and then give up.
    await this.#until(`rid of ${node.address}`, async () => {
      const members = (await this.#members()).map(({ uuid }) => uuid)
      return !members.includes(node.uuid) || undefined
    })
    await this.#start(node)
    if ((await this.#members()).length > 0) await rejoin(node)
  }

  /**
   * Brings every node back that has ended, is paused, or was expelled, and waits until all are members. If no member is
   * left, the one that has most begins the group again.
   */
  async heal(): Promise<void> {
    for (const node of this.nodes) {
      if (node.isPaused) node.resume()
      if (!node.isRunning) await this.restart(node)
    }
    await this.#until("a complete group", async () => {
      const views = await Promise.all(this.nodes.map(membersOf))
      const isComplete = (view: readonly Member[]) =>
        view.filter(isOnline).length === this.nodes.length
      if (views.every(isComplete)) return true
      const states = views.map((view, index) =>
        view.find(({ uuid }) => uuid === this.nodes[index]?.uuid)?.state ?? "OFFLINE"
      )
      if (!states.some((state) => ["ONLINE", "RECOVERING"].includes(state))) {
        return void await this.#revive()
      }
      for (const [index, node] of this.nodes.entries()) {
        if (["ERROR", "OFFLINE"].includes(states[index] ?? "")) await rejoin(node)
      }
      return undefined
    })
  }

  /** Begins the group again on the node that has the most transactions. */
  async #revive(): Promise<void> {
    for (const node of this.nodes) {
      const [row] = await node.ask("select @@global.gtid_executed as mine")
      const question = `select gtid_subset(@@global.gtid_executed, '${row?.["mine"]}') as inside`
      const answers = await Promise.all(this.nodes.map((each) => each.ask(question)))
      if (answers.some(([answer]) => answer?.["inside"] !== 1)) continue
      await node.run("stop group_replication")
      return await this.bootstrap(node)
    }
  }

  async #until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (const end = performance.now() + limit; performance.now() < end;) {
      const found = await look()
      if (found !== undefined) return found
      await sleep(50)
    }
    const errors = await Promise.all(this.nodes.map((node) => node.errors()))
    throw new Error(
      `the group has not got ${what} within ${limit / 1000} s:\n${errors.join("\n")}`,
    )
  }

  async #members(): Promise<Member[]> {
    const lists = await Promise.all(this.nodes.map(membersOf))
    return lists.find((members) => members.some(isOnline)) ?? []
  }

  async #start(node: ClusterNode): Promise<void> {
    const flags = this.#flags.get(node) ?? []
    // Without a group it would be a server of its own, which accepts writes.
    const isFirst = node.uuid === ""
    await node.start([...flags, `--super-read-only=${isFirst ? "OFF" : "ON"}`])
  }
}

/** Starts a group of three for a test, and ends it afterwards. */
export async function startGroup(t: Teardown, options: GroupOptions): Promise<Group> {
  return await Group.start(t, options)
}

/** Lets a node join the group, if that takes it. */
async function rejoin(node: ClusterNode): Promise<void> {
  await node.run(
    "stop group_replication",
    "start group_replication",
    "set global offline_mode = off",
  )
    .catch(() => {})
}

async function membersOf(node: ClusterNode): Promise<Member[]> {
  return await node.ask(
    `select member_id as uuid, member_state as state, member_role as role
    from performance_schema.replication_group_members`,
  ) as unknown as Member[]
}

function isPrimary({ uuid, state, role }: Member, node: ClusterNode): boolean {
  return uuid === node.uuid && state === "ONLINE" && role === "PRIMARY"
}

function isOnline({ state }: Member): boolean {
  return state === "ONLINE"
}

/** Failures are noticed as soon as MySQL allows, and the cache of messages is as small as it may be. */
function groupFlags(addresses: readonly string[], index: number): string[] {
  const settings = {
    "group-name": groupName,
    "local-address": addresses[index],
    "group-seeds": addresses.join(),
    "recovery-get-public-key": "ON",
    "member-expel-timeout": 0,
    "unreachable-majority-timeout": 5,
    "message-cache-size": 128 * 2 ** 20,
    "recovery-reconnect-interval": 1,
    "start-on-boot": "OFF",
  }
  return [
    "--plugin-load-add=group_replication.so",
    ...Object.entries(settings).map(([name, value]) =>
      `--loose-group-replication-${name}=${value}`
    ),
  ]
}
