import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { freshWorkshop } from "../../support/service.ts"

const source = `import { anyone, definePlugin, handler, respondJson, v } from "event-export/plugin"
const handle = (context) => respondJson(
  Object.fromEntries(Object.entries(context.host).map(([name, part]) => [name, typeof part])),
)
export default definePlugin({
  apiVersion: 2, name: "curious", summary: "Curious", settings: v.strictObject({}),
  mount: () => ({ prefix: "/curious", routes: [
    handler("GET", "/none", { auth: anyone, handle }),
    handler("GET", "/readiness", { auth: anyone, needs: ["readiness"], handle }),
    handler("GET", "/both", { auth: anyone, needs: ["readiness", "sessions"], handle }),
  ] }),
})`

t.test("a handler gets the parts of the host that it declares, and no others", async (t) => {
  const workshop = await freshWorkshop(t)
  writeFileSync(join(workshop.folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(workshop.folder, "curious.js"), source)
  workshop.write("  - use: ./curious.js")
  const service = await workshop.start()
  const partsOf = async (path: string) =>
    await (await service.fetch(new Request(`http://localhost/curious${path}`))).json()
  t.strictSame(await partsOf("/none"), {})
  t.strictSame(await partsOf("/readiness"), { readiness: "function" })
  t.strictSame(await partsOf("/both"), { readiness: "function", sessions: "object" })
})
