import t from "tap"
import { freshWorkshop, logInto } from "../../../support/service.ts"

t.test("with public: false, strangers are sent to log in, and programs get 401", async (t) => {
  const { build, write, start } = await freshWorkshop(t)
  await build.account("ann")
  write("  - use: docs\n    with: { public: false }")
  const service = await start()
  const get = (path: string, headers = {}) =>
    service.fetch(new Request(`http://localhost${path}`, { headers }))
  const page = { accept: "text/html" }
  const { cookie } = await logInto(service.fetch, "ann")

  for (const path of ["/docs", "/docs/sync", "/docs/search?q=x", "/docs/sync.md", "/llms.txt"]) {
    const stranger = await get(path, page)
    t.equal(stranger.status, 303, path)
    t.match(stranger.headers.get("location"), "/docs/log-in")
    const program = await get(path)
    t.equal(program.status, 401, path)
    t.match(await program.json(), { code: "unauthenticated" })
    t.equal((await get(path, { ...page, cookie })).status, 200, path)
  }
  for (const path of ["/docs/feed.sh", "/docs/guide.md"]) {
    t.equal((await get(path)).status, 401, path)
    t.equal((await get(path, { cookie })).status, 200, path)
  }
  for (const path of ["/docs/log-in", "/docs/files/design.css", "/problems/not_found"]) {
    t.equal((await get(path)).status, 200, path)
  }
})
