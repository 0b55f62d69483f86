import type { Observations } from "../chaos/observations.ts"
import { categories } from "../../../core/records/kinds/categories.ts"
import type { Topology } from "./topology.ts"

/** What partners read. */
const tables = [...Object.values(categories), "consent", "address", "deletion"]

/** Reports tables in which the servers differ, although all have all transactions: then MySQL has lost something. */
export async function checkTables(
  { name, nodes }: Topology,
  observations: Observations,
): Promise<void> {
  const list = tables.map((table) => `chaos.${table}`).join()
  const found = await Promise.all(nodes.map(async (node) => {
    const rows = await node.run(`checksum table ${list}`)
    return new Map(rows.map((row) => [row["Table"], row["Checksum"]]))
  }))
  for (const table of found[0]?.keys() ?? []) {
    if (new Set(found.map((sums) => sums.get(table))).size === 1) continue
    observations.violate(`the servers of the ${name} differ in ${table}`)
  }
}
