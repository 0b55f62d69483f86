import t from "tap"
import { ConfigError } from "../../../../core/config/problem.ts"
import { readPlan } from "../../../../core/routes/plan.ts"
import { readDraft } from "../../../../plugins/capabilities/check/check-draft.ts"
import { configFolder, goodConfig as good } from "../../../support/config-folder.ts"

t.test("readDraft refuses what would take long to check: too many plugins or routes, or too much text", async (t) => {
  const running = await readPlan(configFolder(t).write(good), {})
  const entries = (count: number, entry: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `  - ${entry(index)}\n`).join("")
  const base = (index: number) =>
    `{ use: connector-a, optional: true, with: { segment: c${index}, organizations: [acme] } }`
  const customers = entries(
    1700,
    (index) => `{namespace: n${index},organization: acme,service_user: u}`,
  ).replaceAll("  -", "        -")
  const drafts = {
    "too many plugins before it": good + entries(40, base) +
      entries(40, () => "{ use: connector-a-items, optional: true }"),
    "too much text": `${good}x: &long ${"x".repeat(100_000)}\ny: [${"*long, ".repeat(9)}]\n`,
    "too many routes": `${good}  - use: custom-export\n    with:\n      customers:\n${customers}`,
  }
  for (const [reason, text] of Object.entries(drafts)) {
    t.match(await reasonsOf(readDraft(running, text)), new RegExp(reason))
    t.equal((await reasonsOf(readPlan(configFolder(t).write(text), {}))).includes(reason), false)
  }
})

/** Returns why a plan, or an optional plugin of it, is refused. */
async function reasonsOf(reading: ReturnType<typeof readPlan>): Promise<string> {
  try {
    return (await reading).failed.flatMap(({ reasons }) => reasons).join("\n")
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map(({ message }) => message).join("\n")
  }
}
