import t from "tap"
import { setDisabled } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { usual } from "../../../../plugins/capabilities/usual.ts"
import { configWith, secret } from "../../../support/app.ts"
import { Builder } from "../../../support/builder.ts"
import { configFolder } from "../../../support/config-folder.ts"
import { copiedUrl, onEmbedded, openFor } from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"

await onEmbedded(t, async (t, engine) => {
  const url = await copiedUrl(t, engine)
  const database = await openFor(t, url)
  const { writer } = database
  const build = new Builder(database)
  await build.account("ann")
  await build.account("bob", "service")
  await build.account("chief", "operator")
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  const run = (args: string) => runCommand(args, { env })
  const idOf = (text: string) => /[\da-f]{8}-[\da-f-]{27}/.exec(text)?.[0] ?? ""

  await t.test("ping add registers a URL for a partner, and prints its secret once", async (t) => {
    const { code, out } = await run("ping add ann https://hooks.invalid/in?token=abc")
    t.equal(code, 0)
    t.match(out, /^ann has the receiver [\da-f-]{36}\.[^]*\nwhsec_[\w+/]{43}=$/)
    t.match((await run("ping add bob https://hooks.invalid/bob")).code, 0)
    const id = idOf(out)
    for (const args of ["ping", "ping list", "ping list ann", "ping list --json"]) {
      const listed = await run(args)
      t.equal(listed.code, 0, args)
      t.match(listed.out, id.slice(0, 8))
      t.notMatch(listed.out, /whsec_|token=/)
    }
    const [detail] = await listAudit(database, { account: "ann", action: "contact", limit: 1 })
    t.match(detail, { detail: `ping receiver ${id} on hooks.invalid: added` })
  })

  await t.test("ping lists all receivers, or those of one account, for people and for programs", async (t) => {
    await writer.updateTable("ping_receiver").set({
      ...{ state: "off", reason: "failing", last_error: "tls", last_status: null },
      ...{ attempts: 36, failing_since: 1, last_sent: 1_700_000_000 },
    }).where("url", "like", "%bob").execute()
    const all = (await run("ping")).out
    t.match(all, /^RECEIVER +ACCOUNT +URL +STATE/)
    t.match(
      all,
      /^[\da-f]{8} +bob +https:\/\/hooks\.invalid\/bob +off +2023-11-14T22:13:20Z +tls +All attempts of eight days failed\. The last time, its certificate/m,
    )
    t.match(all, /^[\da-f]{8} +ann +https:\/\/hooks\.invalid\/in\?… +unconfirmed +never +20/m)
    t.notMatch((await run("ping list bob")).out, "ann")
    t.match(JSON.parse((await run("ping list bob --json")).out), {
      ...{ account: "bob", url: "https://hooks.invalid/bob", state: "off", reason: "failing" },
      ...{ lastError: "tls", lastSent: 1_700_000_000, nextAttempt: null },
      detail: /^All attempts of eight days failed\./,
    })
    await setDisabled(database, "ann", true)
    t.match(JSON.parse((await run("ping list ann --json")).out), {
      ...{ state: "unconfirmed", nextAttempt: null },
      detail: "It gets nothing while its account is disabled.",
    })
    await setDisabled(database, "ann", false)
  })

  await t.test("ping check challenges a receiver again, and ping remove removes one", async (t) => {
    const { id } = JSON.parse((await run("ping list bob --json")).out)
    t.match(await run(`ping check ${id.slice(0, 8)}`), { code: 0, out: new RegExp(id) })
    t.match(JSON.parse((await run("ping list bob --json")).out), { state: "unconfirmed" })
    t.match(await run(`ping remove ${id.slice(0, 8)}`), {
      code: 0,
      out: `The receiver ${id} of bob is removed.`,
    })
    t.equal((await run("ping list bob --json")).out, "")
    t.match(await run(`ping check ${id}`), { code: 1, err: /No receiver has/ })
    t.match(await run("ping remove zz"), { code: 1, err: /No receiver has/ })
  })

  await t.test("ping list, account tokens and account sessions print all, however many there are", async (t) => {
    const { id: account_id } = await writer.selectFrom("account").select("id")
      .where("username", "=", "bob").executeTakeFirstOrThrow()
    const made = { account_id, created: 1_700_000_000 }
    const rows = Array.from({ length: 1002 }, (_, n) => {
      const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
      const url = `https://hooks.invalid/${n}`
      const none = { reason: null, failing_since: null, last_sent: null, last_status: null }
      return {
        session: { id, ...made, expires: 4_000_000_000, lasting: 1 },
        token: { session_id: id, account_id, name: "n8n", hash: id, epoch: 0 },
        receiver: {
          ...{ id, ...made, url, secret: "", former_secret: null, former_until: null },
          ...{ ...none, state: "on" as const, since: 1, attempts: 0, next_at: 0, sent_seq: 0 },
          last_error: null,
        },
      }
    })
    for (let n = 0; n < rows.length; n += 50) {
      const part = rows.slice(n, n + 50)
      await writer.insertInto("session").values(part.map(({ session }) => session)).execute()
      await writer.insertInto("account_token").values(part.map(({ token }) => token)).execute()
      await writer.insertInto("ping_receiver").values(part.map(({ receiver }) => receiver))
        .execute()
    }
    for (const args of ["ping list", "account tokens", "account sessions --live"]) {
      for (const json of ["", " --json"]) {
        const { out } = await run(`${args}${json}`)
        t.equal(out.split("\n").filter((line) => line.includes("00000000")).length, 1002, args)
      }
    }
    await writer.deleteFrom("ping_receiver").where("account_id", "=", account_id).execute()
  })

  await t.test("ping add refuses in words what cannot be a receiver, by the settings", async (t) => {
    for (
      const [args, said] of [
        ["nobody https://hooks.invalid/", /There is no account nobody/],
        ["chief https://hooks.invalid/", /Only accounts of programs/],
        ["ann https://hooks.invalid/in?token=abc", /has a receiver with this URL/],
        ["ann http://hooks.invalid/", /https:\/\/\. Nothing was changed/],
        ["ann https://169.254.169.254/", /public name/],
        ["ann http://127.0.0.1:8081/", /Nothing was changed/],
        ["ann https://hooks.invalid:8443/", /port 8443/],
      ] as const
    ) {
      const { code, out, err } = await run(`ping add ${args}`)
      t.match([code, err], [1, said], args)
      t.equal(out, "")
    }
    const { write } = configFolder(t)
    const edited = (settings: string) => {
      const text = configWith(usual).replace(/^ping:\n( {2}.*\n)+/m, `ping: ${settings}\n`)
      return (args: string) => runCommand(`-c ${write(text)} ping add ann ${args}`, { env })
    }
    const wider = edited(`{ ports: [8443], hosts: ["*.invalid"], loopback: true }`)
    t.match(await wider("https://hooks.invalid:8443/x"), { code: 0 })
    t.match(await wider("https://hooks.example/"), { code: 1, err: /does not allow receivers on/ })
    for (const wrong of ["{ ports: [0] }", "{ hosts: [https://a.b/] }", "{ loopbak: true }"]) {
      t.match(await edited(wrong)("https://hooks.invalid/y"), {
        code: /[^0]/,
        err: /config\.yaml:\d+:\d+: /,
      }, wrong)
    }
    t.match(await edited("{ loopback: true }")("http://127.0.0.1:8081/"), { code: 0 })
  })
})
