import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { type Engine, onEmbedded } from "../support/database.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

/** The requests that a slow route has begun, and what lets them end. */
interface Slow {
  begun: number
  readonly end: Promise<void>
}

/** A plugin with a route that takes as long as the test wants. */
const slowPlugin = (name: string) =>
  `import { definePlugin, handler, respondJson, signedIn, v } from "event-export/plugin"
const handle = async () => {
  const slow = globalThis[${JSON.stringify(name)}]
  slow.begun++
  await slow.end
  return respondJson({})
}
export default definePlugin({
  apiVersion: 3, name: "slow", summary: "Slow", settings: v.strictObject({}),
  mount: () => ({ prefix: "", routes: [handler("GET", "/slow", { auth: signedIn, handle })] }),
})`

async function freshService(t: Test, engine: Engine, limits: string) {
  const workshop = await freshWorkshop(t, engine)
  const name = `slow ${crypto.randomUUID()}`
  const { promise: end, resolve: release } = Promise.withResolvers<void>()
  const slow: Slow = { begun: 0, end }
  Object.assign(globalThis, { [name]: slow })
  writeFileSync(join(workshop.folder, "slow.ts"), slowPlugin(name))
  workshop.write("  - use: ./slow.ts", `limits: { ${limits} }`)
  const service = await workshop.start()
  for (const account of ["flood", "calm"]) await workshop.build.account(account)
  return {
    service,
    slow,
    release,
    logIn: () => logInto(service.fetch, "flood"),
  }
}

await onEmbedded(t, async (t, engine) => {
  await t.test("limits.concurrent counts an account's fresh sessions together", async (t) => {
    const { service, slow, release, logIn } = await freshService(t, engine, "concurrent: 4")
    const sessions = []
    for (let n = 0; n < 10; n++) sessions.push(await logIn())
    const calm = await logInto(service.fetch, "calm")
    const statuses: number[] = []
    const flood = sessions.flatMap((get) => Array.from({ length: 4 }, () => get("/slow")))
      .map((answer) => answer.then(({ status }) => void statuses.push(status)))
    while (statuses.length + slow.begun < 40) await setTimeout(5)
    t.equal((await calm("/session")).status, 200, "another account is not affected")
    t.equal(slow.begun, 4)
    release()
    await Promise.all(flood)
    t.equal(statuses.filter((status) => status === 200).length, 4)
    t.equal(statuses.filter((status) => status === 429).length, 36)
  })
})
