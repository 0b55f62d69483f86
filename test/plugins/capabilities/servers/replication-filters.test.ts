import t from "tap"
import { findOmitted } from "../../../../plugins/capabilities/servers/replication-filters.ts"

const tables = ["guest", "a_b", "acb"]

/** Rules of a channel, as MySQL shows them, and the tables that they leave out. The soak tests ask MySQL itself. */
const cases: readonly (readonly [rules: Readonly<Record<string, string>>, omitted: string[]])[] = [
  [{}, []],
  [{ DO_DB: "" }, []],
  [{ DO_DB: "events" }, tables],
  [{ DO_DB: "events,kept" }, []],
  [{ IGNORE_DB: "kept" }, tables],
  [{ IGNORE_DB: "events" }, []],
  [{ DO_DB: "kept", IGNORE_DB: "kept" }, []],
  [{ IGNORE_DB: "kept", DO_TABLE: "kept.guest" }, tables],
  [{ REWRITE_DB: "(kept,other)" }, tables],
  [{ REWRITE_DB: "(events,kept)" }, []],
  [{ DO_TABLE: "kept.guest,kept.acb" }, ["a_b"]],
  [{ IGNORE_TABLE: "kept.guest" }, ["guest"]],
  [{ DO_TABLE: "kept.guest", IGNORE_TABLE: "kept.guest,kept.acb" }, ["a_b", "acb"]],
  [{ WILD_DO_TABLE: "kept.a_b" }, ["guest"]],
  [{ WILD_DO_TABLE: "kept.a\\_b" }, ["guest", "acb"]],
  [{ WILD_IGNORE_TABLE: "k%.%b" }, ["a_b", "acb"]],
  [{ WILD_IGNORE_TABLE: "kept.gues" }, []],
  [{ DO_TABLE: "kept.acb", WILD_IGNORE_TABLE: "kept.%" }, ["guest", "a_b"]],
  [{ IGNORE_TABLE: "kept.acb", WILD_DO_TABLE: "%.a%" }, ["guest", "acb"]],
]

for (const [rules, omitted] of cases) {
  t.test(`findOmitted returns what is left out by ${JSON.stringify(rules)}`, async (t) => {
    const filters = Object.entries(rules).map(([name, rule]) => ({
      ...{ channel: "", name: `REPLICATE_${name}`, rule },
    }))
    t.strictSame(findOmitted(filters, { database: "kept", tables }), omitted)
  })
}
