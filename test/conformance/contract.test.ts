import t from "tap"
import { conformanceProblems } from "./conformance.ts"
import connectorAItems from "../../plugins/families/connector-a-items/plugin.ts"
import { testConfig } from "../support/app.ts"

const { plugins } = await testConfig("sqlite:unused")

for (const { plugin, with: settings = {} } of plugins) {
  t.test(`${plugin.name} conforms with the settings of the default configuration`, async (t) => {
    t.strictSame(await conformanceProblems(plugin, settings), [])
  })
}

t.test("connector-a-items conforms with the settings of connector-a", async (t) => {
  const settings = plugins.find(({ plugin }) => plugin.name === connectorAItems.extends)?.with
  t.strictSame(await conformanceProblems(connectorAItems, settings), [])
})
