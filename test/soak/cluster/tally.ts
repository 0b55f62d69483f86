import type { ClusterNode } from "../support/cluster/node.ts"

/** Counts requests by kind, and by the server of the database that answered, as services log them. */
export class Tally {
  readonly #nodes: readonly ClusterNode[]
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(nodes: readonly ClusterNode[]) {
    this.#nodes = nodes
  }

  /** Takes a line of a service's log. */
  readonly note = (entry: Readonly<Record<string, unknown>>): void => {
    const kind = kindOf(entry)
    if (kind === undefined) return
    const node = this.#numberOf(String(entry["node"]))
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    this.#counts.set(kind, counts.set(node, (counts.get(node) ?? 0) + 1))
  }

  /** Returns how many requests of a kind there were, or of all. */
  count(kind?: string): number {
    return [...this.#counts].filter(([name]) => kind === undefined || name === kind)
      .flatMap(([, counts]) => [...counts.values()]).reduce((sum, count) => sum + count, 0)
  }

  /** The servers that have answered. */
  get nodes(): string[] {
    return [...new Set([...this.#counts.values()].flatMap((counts) => [...counts.keys()]))].sort()
  }

  /** Returns a line of titles, and one per kind, with the requests to each of the servers. */
  rows(title: string): string[][] {
    const { nodes } = this
    const rows = [...this.#counts].sort().map(([kind, counts]) => [
      kind,
      ...nodes.map((node) => String(counts.get(node) ?? 0)),
    ])
    return [[title, ...nodes].map((each) => each.toUpperCase()), ...rows]
  }

  /** Returns which server it is, whatever a service calls it. */
  #numberOf(name: string): string {
    const index = this.#nodes.findIndex(({ names }) => names.includes(name))
    return index < 0 ? "none" : `server ${index + 1}`
  }
}

function kindOf(
  { route, status, offset, cursor, waitedMs, action }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof route !== "string" || typeof status !== "number") return undefined
  if (route.endsWith("z")) return undefined
  if (action === "log-in" || action === "log-out") return String(action)
  const list = /(export|digest|deletions|changes)$/.exec(route)?.[1]
  if (list === "export" || list === "digest") return list
  if (waitedMs !== undefined) return "waiting"
  if (status === 304) return "not modified"
  const records = list ?? (/events$/.test(route) ? "events" : "records")
  if (cursor !== undefined) return `${records} by cursor`
  return Number(offset ?? 0) > 0 ? `${records} at an offset` : records
}
