import { setTimeout } from "node:timers/promises"
import t from "tap"
import { createAccount } from "../../../../plugins/capabilities/accounts/change-account.ts"
import { authorOf } from "../../../../core/cli/context.ts"
import type { RecordChange } from "../../../../core/access/audit-changes.ts"
import { recorderOf } from "../../../../core/kernel/capabilities.ts"
import { capabilitiesOf } from "../../../../core/kernel/capability.ts"
import { listAudit } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { findDisclosures } from "../../../../plugins/capabilities/disclosures/find-disclosures.ts"
import { listOverdue } from "../../../../plugins/capabilities/disclosures/overdue.ts"
import {
  removeAccount,
  renameAccount,
} from "../../../../plugins/capabilities/accounts/change-names.ts"
import { namedIn } from "../../../../plugins/capabilities/accounts/named-in.ts"
import { freshApp, secret, testConfig } from "../../../support/app.ts"
import { browserOf, fieldIn } from "../../../support/browse.ts"
import { Builder } from "../../../support/builder.ts"
import {
  freshDatabase,
  freshUrl,
  onEmbedded,
  onEveryEngine,
  openFor,
} from "../../../support/database.ts"
import { runCommand } from "../../../support/run-command.ts"

const given = await testConfig("sqlite:unused.db")
const record = recorderOf(capabilitiesOf(given)) as RecordChange
const by = { ...authorOf({ capabilities: [] }), record }

await onEmbedded(t, async (t, engine) => {
  const app = await freshApp(t, engine)
  const { build, database, logIn } = app
  const event = await build.event(await build.organization("acme"))
  const guest = await build.guest(event)
  const chief = await build.account("chief", "operator")
  const { browse } = await browserOf(app, "chief")
  /** Sends a form of the console, with the token of a page unless the fields have another. */
  const submit = async (path: string, fields: Readonly<Record<string, string>>) => {
    const text = await (await browse("/console/accounts")).text()
    return await browse(`/console/accounts/${path}`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ token: fieldIn(text, "token"), ...fields }),
    })
  }
  const disclosed = async () =>
    (await findDisclosures(database, guest)).records.flatMap(({ recipients }) =>
      recipients.map(({ account }) => account)
    )
  const audited = async (account: string, action: string) =>
    (await listAudit(database, { account, action, limit: 100 })).map((each) => each.account)
  const lists = ["acme-export", "acme-export", "acme-export-2"]
  /** Returns the number of lists that an account has read. */
  const listsOf = async (account: string) => {
    const rows = await database.writer.selectFrom("sync_state")
      .innerJoin("account", "account.id", "sync_state.account_id").select("list")
      .where("username", "=", account).execute()
    return rows.length
  }

  await t.test("a renamed account keeps its session, and is known by its new name", async (t) => {
    await build.account("acme-export", "service")
    await build.grant("acme-export", { organization: "acme" })
    const poll = await logIn("acme-export")
    const path = `/acme/v1/events/${event}/guests?since=-1`
    t.equal((await poll(`${path}&limit=0`)).status, 400)
    t.equal((await poll(path)).status, 200)
    while ((await disclosed()).length === 0) await setTimeout(20)
    while ((await audited("acme-export", "list")).length < 2) await setTimeout(20)
    while (await listsOf("acme-export") === 0) await setTimeout(20)
    t.equal((await submit("acme-export/rename", { to: "acme-export-2" })).status, 303)
    t.ok(await listsOf("acme-export-2") > 0, "it is still known how far it is")
    const health = await (await browse("/console/partners/acme-export-2")).text()
    t.match(health, /Errors of the last week[^]*400 invalid_parameter/, "errors follow")
    t.match(
      await (await browse("/console")).text(),
      /Errors of the last day[^]*<a href="\/console\/partners\/acme-export-2">/,
    )
    // Its paths are for the service user that the configuration names.
    const refused = await poll(path)
    t.match([refused.status, await refused.json()], [403, { code: "not_service_user" }])
    t.match(await (await poll("/session")).json(), { username: "acme-export-2" })
    t.strictSame(await disclosed(), ["acme-export-2"])
    while ((await audited("acme-export-2", "list")).length < 3) await setTimeout(20)
    t.strictSame(await audited("acme-export-2", "list"), lists, "the refused one as well")
    t.match(
      await listAudit(database, { account: "acme-export-2", action: "account-rename", limit: 1 }),
      [
        { actor: "chief", account: "acme-export-2", detail: "formerly acme-export" },
      ],
    )
  })

  await t.test("a renamed account may get its former name back, through any number of others", async (t) => {
    await renameAccount(database, "acme-export-2", "third", by)
    await renameAccount(database, "third", "acme-export", by)
    t.strictSame(await audited("acme-export", "list"), lists)
    t.same((await audited("acme-export", "account-rename")).toSorted(), [
      "acme-export",
      "acme-export-2",
      "third",
    ])
    t.strictSame(await disclosed(), ["acme-export"])
  })

  await t.test("no account gets a name that another has, or that is none", async (t) => {
    await build.account("anna")
    for (const name of ["chief", "acme-export"]) {
      const response = await submit("anna/rename", { to: name })
      t.equal(response.status, 400, name)
      t.match(await response.text(), "Nothing was changed.")
    }
    for (const name of ["", "Anna", "änna", "-a", "<b>", "a/b", "a".repeat(101), "anna"]) {
      t.equal((await submit("anna/rename", { to: name })).status, 400, name)
    }
    t.equal((await submit("anna/rename", { to: "anne", token: "x" })).status, 400)
    t.equal((await submit("nobody/rename", { to: "somebody" })).status, 400)
  })

  await t.test("an account that gets the former name of another has its entries from then on, and no others", async (t) => {
    const renamed = async () => await audited("acme-export", "account-rename")
    const adding = { role: "partner", passwordHash: "x" } as const
    await createAccount(database, { username: "third", ...adding }, by)
    t.same((await renamed()).toSorted(), ["acme-export", "acme-export-2"])
    await build.account("bert")
    await renameAccount(database, "bert", "acme-export-2", by)
    t.same(await renamed(), ["acme-export"])
  })

  await t.test("an account that the configuration names as a service user is not removed", async (t) => {
    const response = await submit("acme-export/remove", { force: "yes" })
    t.equal(response.status, 400)
    t.match(
      await response.text(),
      /names acme-export in plugins\[\d+\]\.with\.\S+: change that first/,
    )
    t.equal((await submit("chief/remove", { force: "yes" })).status, 400, "nor one's own")
  })

  await t.test("an account with live sessions is removed only by force, and goes with all that is its own", async (t) => {
    await build.account("leaver")
    await build.grant("leaver", { organization: "acme" })
    const poll = await logIn("leaver")
    t.equal((await poll(`/connector-a/v1/events/${event}/guests?since=-1`)).status, 200)
    while (!(await disclosed()).includes("leaver")) await setTimeout(20)
    const { id } = await database.writer.selectFrom("account").select("id")
      .where("username", "=", "leaver").executeTakeFirstOrThrow()
    const tables = [
      ...["session", "access_grant", "sync_state", "account_activity"] as const,
    ]
    const ownRows = async () => {
      const counts = []
      for (const table of tables) {
        const rows = await database.writer.selectFrom(table).select("account_id")
          .where("account_id", "=", id).execute()
        counts.push(rows.length)
      }
      return counts
    }
    while ((await ownRows()).includes(0)) await setTimeout(20)
    const chiefs = await logIn("chief")
    t.equal((await chiefs("/session", { method: "DELETE" })).status, 204)
    const isNoted = () =>
      database.writer.selectFrom("account_activity").select("refused_code")
        .where("account_id", "=", chief).where("refused_code", "is not", null).executeTakeFirst()
    const kept = await submit("leaver/remove", {})
    t.equal(kept.status, 400)
    t.match(await kept.text(), "leaver has 1 live sessions")
    t.equal((await submit("leaver/remove", { force: "yes", token: "x" })).status, 400)
    t.notOk((await ownRows()).includes(0), "nothing is removed")
    t.equal((await submit("leaver/remove", { force: "yes" })).status, 303)
    t.equal((await poll("/session")).status, 401)
    t.equal((await chiefs("/session")).status, 401)
    // Refused requests are noted in turn.
    while (!await isNoted()) await setTimeout(20)
    t.strictSame(await ownRows(), [0, 0, 0, 0], "nor does a refused request bring one back")
    t.ok(await listsOf("acme-export") > 0, "what others have stays")
    t.match(await audited("leaver", "account-remove"), ["leaver"])
  })

  await t.test("the ledger and the audit log keep the name of a removed account", async (t) => {
    t.ok((await disclosed()).includes("leaver"))
    t.ok((await audited("leaver", "list")).length > 0)
    await database.writer.deleteFrom("guest").where("id", "=", guest).where("event_id", "=", event)
      .execute()
    const overdue = async () => (await listOverdue(database, 0)).map(({ account }) => account)
    while (!(await overdue()).includes("leaver")) await setTimeout(20)
    await t.rejects(removeAccount(database, "leaver", {}, by), { message: /no account leaver/ })
  })

  await t.test("account rename and account remove do the same, and say what the configuration still names", async (t) => {
    const url = await freshUrl(t, engine)
    const run = (args: string) =>
      runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret } })
    await run("migrate")
    const other = new Builder(await openFor(t, url))
    for (const name of ["acme-export", "anna"]) await other.account(name, "service")
    t.match(await run("account rename acme-export acme-new"), {
      code: 0,
      out: /^acme-export is called acme-new now/,
      err:
        /^The configuration still has the former name in plugins\[\d+\]\.with\.\S+: write acme-new there/,
    })
    t.match(await run("account rename anna acme-new"), { code: 1, err: /already/ })
    t.match(await run("account rename anna anne"), { code: 0, err: "" })
    t.match(await run("account remove anne"), { code: 0, out: /^anne is removed/ })
    const { out: accounts } = await run("account list")
    t.match(accounts, /^acme-new /m)
    t.notMatch(accounts, "anne")
    const { out } = await run("audit --account anne")
    t.match(out, /account-rename by [^]*account-remove by /)
  })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("of changes to one name at the same time, one is made and the others are refused in words", async (t) => {
    const database = await freshDatabase(t, engine)
    const build = new Builder(database)
    for (const name of ["b1", "b2", "b3"]) await build.account(name)
    const all = await Promise.allSettled([
      ...["b1", "b2", "b3"].map((name) => renameAccount(database, name, "same", by)),
      ...["x1", "x2"].map((name) => renameAccount(database, "b1", name, by)),
    ])
    const errors = all.flatMap((each) => each.status === "rejected" ? [each.reason] : [])
    t.ok(errors.length >= 3 && errors.length <= 4, String(errors))
    t.strictSame(errors.filter(({ name }) => name !== "UserError"), [])
    const same = await database.writer.selectFrom("account").select("id")
      .where("username", "=", "same").execute()
    t.ok(same.length <= 1)
  })
})

t.test("namedIn finds the name at any depth, and in the limits", (t) => {
  const plugins = [
    { use: "a", with: { service_user: "ann", deep: [{ names: ["bob", "ann"] }] } },
    null,
    { use: "b", with: { other: "annabel" } },
    { use: "c" },
  ]
  t.strictSame(namedIn({ accounts: { ann: {} }, plugins }, "ann"), {
    limits: ["accounts.ann"],
    plugins: ["plugins[0].with.service_user", "plugins[0].with.deep[0].names[1]"],
  })
  t.strictSame(namedIn({ accounts: {}, plugins: "none" }, "constructor"), {
    limits: [],
    plugins: [],
  })
  t.end()
})
