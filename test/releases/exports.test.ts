import { readFileSync } from "node:fs"
import t from "tap"
import { conformanceProblems } from "../../plugins/capabilities/conformance/conformance.ts"
import { recorded } from "./last-release.ts"
import sample from "./sample-plugin.ts"

const contract = recorded("contract.d.ts")
const [plugin = ""] = /^declare module "last\/core\/plugin" \{.*?^\}/ms.exec(contract) ?? []
const last = exportsOf(plugin)

t.test("lists still have every parameter of the last release's", (t) => {
  const parameters = parametersIn(contract)
  t.ok(parameters.length > 8)
  const now = parametersIn(readFileSync("core/records/resource.ts", "utf8"))
  t.strictSame(parameters.filter((name) => !now.includes(name)), [])
  t.end()
})

// `contract.ts` compares the values, and the types that these take and return.
t.test("the contract still exports every name of the last release's, types included", (t) => {
  t.ok(last.length > 60, `${last.length} names`)
  const now = exportsOf(readFileSync("core/plugin.ts", "utf8"))
  t.strictSame(last.filter((name) => !now.includes(name)), [])
  t.end()
})

t.test("the sample plugin uses every name of the last release's contract", (t) => {
  const text = readFileSync(new URL("sample-plugin.ts", import.meta.url), "utf8")
  const used = last.filter((name) => (text.match(new RegExp(`\\b${name}\\b`, "g")) ?? []).length > 1)
  t.strictSame(last.filter((name) => !used.includes(name)), [])
  t.end()
})

t.test("a plugin that was written for the last release conforms", async (t) => {
  const settings = { segment: "sample", organizations: ["north"], owner: "ann" }
  t.strictSame(await conformanceProblems(sample, settings), [])
})

/** Returns the members of the type `ListingParameter` in a module. */
function parametersIn(text: string): string[] {
  const [, members = ""] = /^export type ListingParameter\b([^;]*?)(?:;|\n\n)/m.exec(text) ?? []
  return [...members.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name)
}

/** Returns the names that a module exports by lists. */
function exportsOf(text: string): string[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list = ""]) => list)
  return lists.flatMap((list) => list.split(",")).map((name) => name.replace(/\btype\b/, "").trim())
    .filter(Boolean)
}
