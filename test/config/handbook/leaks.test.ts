import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { secret } from "../../support/app.ts"
import { goodSecret } from "../../support/config-folder.ts"
import { onEmbedded } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"
import { freshWorkshop, logInto } from "../../support/service.ts"

await onEmbedded(t, async (t, engine) => {
  const workshop = await freshWorkshop(t, engine)
  const { build, file, folder } = workshop
  const event = await build.event(await build.organization("acme"))
  await build.guests(event, 3)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  workshop.write("  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const service = await workshop.start()
  const run = async (args: string) => {
    const { code, out, err } = await runCommand(`--config ${file} ${args}`)
    t.equal(code, 0, `${args}: ${err}`)
    return out
  }
  const guests = `/b/v1/events/${event}/guests?since=-1&limit=1`
  const ask = async (cookie: string, path = guests) => {
    const request = new Request(`http://localhost${path}`, { headers: { cookie } })
    const response = await service.fetch(request)
    return { status: response.status, next: response.headers.get("link") ?? "" }
  }
  const replaceSecret = async (before: string, after: string) => {
    writeFileSync(file, readFileSync(file, "utf8").replace(before, after))
    await service.reload("a leak")
  }
  let jars = 0
  /** Makes a cookie file as for an unattended program, and returns its cookie. */
  const newCookie = async (options = "") => {
    const jar = join(folder, `jar-${++jars}`)
    await run(`account session ann --cookie-jar ${jar}${options}`)
    const [name, value] = readFileSync(jar, "utf8").trimEnd().split("\t").slice(-2)
    return `${name}=${value}`
  }

  await t.test("a secret that is replaced ends all sessions, and log-ins go on", async (t) => {
    const { cookie } = await logInto(service.fetch, "ann")
    const { status, next } = await ask(cookie)
    t.equal(status, 200)
    await replaceSecret(secret, goodSecret)
    t.equal((await ask(cookie)).status, 401)
    const again = await logInto(service.fetch, "ann")
    t.equal((await ask(again.cookie)).status, 200)
    const path = /<http:\/\/[^/]+([^>]+)>; rel="next"/.exec(next)?.[1]
    t.equal((await ask(again.cookie, path)).status, 400, "a cursor of before")

    await replaceSecret(goodSecret, secret)
    t.equal((await ask(cookie)).status, 200, "the session counts again with the old secret")
    await run("account revoke ann")
    t.equal((await ask(cookie)).status, 401, "unless it was ended")
  })

  await t.test("of two cookies, the one that leaked can be ended alone", async (t) => {
    const [stolen, other] = [await newCookie(), await newCookie()]
    const lines = (await run("account sessions ann --live")).split("\n").slice(1)
    t.equal(lines.length, 2)
    for (const line of lines) {
      const [id = ""] = line.split(" ")
      await run(`account end-session ${id}`)
      const left = [(await ask(stolen)).status, (await ask(other)).status]
      t.equal(left.filter((status) => status === 401).length, 1 + lines.indexOf(line))
    }
  })

  await t.test("account revoke ends all, and a grant for a network keeps a stolen cookie from reading", async (t) => {
    const stolen = await newCookie()
    await run("account revoke ann")
    t.equal((await ask(stolen)).status, 401)
    const next = await newCookie()
    t.equal((await ask(next)).status, 200)
    await run("access withdraw ann --organization acme")
    await run("access grant ann --organization acme --from 192.0.2.0/24")
    t.equal((await ask(next)).status, 404, "from another network")
  })
})
