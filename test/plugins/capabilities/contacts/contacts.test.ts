import t from "tap"
import { authorOf } from "../../../../core/cli/context.ts"
import { findPartner } from "../../../../plugins/capabilities/partners/find-partner.ts"
import { listPartners } from "../../../../plugins/capabilities/partners/list-partners.ts"
import {
  listMuted,
  mute,
  readContact,
  readMutes,
  setContact,
} from "../../../../plugins/capabilities/contacts/contacts.ts"
import { recordChange } from "../../../../plugins/capabilities/audit/audit-log.ts"
import { freshApp, secret } from "../../../support/app.ts"
import { browserOf, fieldIn } from "../../../support/browse.ts"
import { Builder } from "../../../support/builder.ts"
import {
  freshDatabase,
  freshUrl,
  onEmbedded,
  onEveryEngine,
  openFor,
} from "../../../support/database.ts"
import { measure } from "../../../support/metrics.ts"
import { withinOneSecond } from "../../../support/one-second.ts"
import { freshWorkshop } from "../../../support/service.ts"
import { runCommand } from "../../../support/run-command.ts"

await onEmbedded(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const run = (args: readonly string[]) =>
    runCommand(args, { env: { DATABASE_URL: url, SESSION_SECRET: secret } })
  await run(["migrate"])
  const database = await openFor(t, url)
  const build = new Builder(database)
  for (const name of ["anna", "berta", "carla"]) await build.account(name)
  await build.account("chief", "operator")
  const by = { ...authorOf({ capabilities: [] }), record: recordChange }
  const audit = () => database.writer.selectFrom("audit_log").selectAll().orderBy("seq").execute()
  const later = () => Math.floor(Date.now() / 1000) + 3600
  const options = { retention: 86_400, readMutes }

  await t.test("account contact notes whom to tell, and what is noted is in no entry of the audit log", async (t) => {
    t.match(await run(["account", "contact", "anna"]), { code: 0, out: /^Contact: none/ })
    const contact = "Ann O'Nym <ann@example.org>, +44 20 7946 0000, Zoë 🦄"
    const notes = "Holidays in May.\nCalls back."
    const { out } = await run([
      ...["account", "contact", "anna"],
      ...["--contact", contact, "--notes", notes],
    ])
    t.equal(out, `Contact: ${contact}\nNotes: Holidays in May.\nNotes: Calls back.\nNot muted.`)
    t.match(await readContact(database, "anna"), { contact, notes, muted: null })
    const entry = (await audit()).at(-1)
    t.match(entry, { action: "contact", account: "anna", detail: "changed contact and notes" })
    t.notMatch(JSON.stringify(await audit()), /O'Nym|Holidays/)
    await run(["account", "contact", "anna", "--contact", ""])
    t.match(await readContact(database, "anna"), { contact: "", notes })
  })

  await t.test("account contact shows controls as escapes, and refuses texts that are too long", async (t) => {
    await setContact(database, "berta", { contact: "evil\u001b[2J\nContact: me" }, by)
    const { out } = await run(["account", "contact", "berta"])
    t.match(out, "Contact: evil\\u001b[2J\\u000aContact: me\n")
    const isRefused = (texts: Parameters<typeof setContact>[2], message: RegExp) =>
      t.rejects(setContact(database, "berta", texts, by), { name: "UserError", message })
    await isRefused({ contact: "x".repeat(501) }, /up to 500 characters/)
    await isRefused({}, /Say whom/)
  })

  await t.test("account contact and account mute refuse operators and names that nobody has", async (t) => {
    for (const name of ["chief", "nobody", "Änna", "anna "]) {
      const wrong = { code: 1, err: /no partner|There is no account/ }
      t.match(await run(["account", "contact", name, "--notes", "x"]), wrong, name)
      const muting = ["account", "mute", name, "--until", "2999-01-01", "--because", "x"]
      t.match(await run(muting), { code: 1 }, name)
    }
    t.strictSame(await listMuted(database), [])
  })

  await t.test("account mute needs a time in the next year, and a reason", async (t) => {
    const muting = async (...args: readonly string[]) =>
      await run(["account", "mute", "anna", ...args])
    const wrong = [
      [[], /Give --until and --because/],
      [["--until", "2999-01-01", "--undo"], /Give --until/],
      [["--until", "2020-01-01", "--because", "x"], /in the future/],
      [["--until", "2999-01-01", "--because", "x"], /a year/],
    ] as const
    for (const [args, err] of wrong) t.match(await muting(...args), { code: 1, err })
    const until = new Date(later() * 1000).toISOString().slice(0, 19) + "Z"
    t.match(await muting("--until", until, "--because", " "), { code: 1, err: /Say why/ })
    t.match(await muting("--until", until, "--because", "They migrate."), {
      code: 0,
      out: `anna: muted until ${until}, because: They migrate.`,
    })
    t.match((await audit()).at(-1), { action: "mute", account: "anna", detail: `until ${until}` })
    t.strictSame(await listMuted(database), ["anna"])
  })

  await t.test("a muted partner keeps its state, and is listed below the others that are wrong", async (t) => {
    const partners = await listPartners(database, options)
    t.strictSame(partners.map(({ account, state }) => [account, state]), [
      ["berta", "never polled"],
      ["carla", "never polled"],
      ["anna", "never polled"],
    ])
    t.match(partners.at(-1)?.muted, { because: "They migrate." })
    t.strictSame((await listPartners(database, { retention: 86_400 }))[0]?.account, "anna")
    const { sentences } = await findPartner(database, "anna", options)
    t.match(sentences[1], /^Muted until .*, because: They migrate\.$/)
    t.match((await run(["partners"])).out, /^anna +never polled, muted/m)
    t.match(await run(["partners", "anna", "--check"]), { code: 0 })
    t.match(await run(["partners", "--check"]), { code: 1, err: "Not in sync: berta, carla." })
  })

  await t.test("a disabled account that is muted stays last, and a mute ends by itself or by --undo", async (t) => {
    await mute(database, "carla", { until: later(), because: "x" }, by)
    await database.writer.updateTable("account").set({ disabled: 1 })
      .where("username", "=", "berta").execute()
    const order = async () => (await listPartners(database, options)).map(({ account }) => account)
    t.strictSame(await order(), ["anna", "carla", "berta"])
    t.match(await run(["account", "mute", "anna", "--undo"]), {
      code: 0,
      out: "anna is not muted.",
    })
    t.match((await audit()).at(-1), { action: "unmute", account: "anna" })
    t.strictSame(await listMuted(database), ["carla"])
    const mutedUntil = (ahead: number) =>
      withinOneSecond(database, async (now) => {
        await database.writer.updateTable("partner_contact").set({ muted_until: now + ahead })
          .where("muted_until", "is not", null).execute()
        const listed = (await listPartners(database, options)).filter(({ muted }) => muted !== null)
        const { muted } = await readContact(database, "carla")
        return [await listMuted(database), listed.length, muted !== null]
      })
    t.strictSame(await mutedUntil(1), [["carla"], 1, true])
    t.strictSame(await mutedUntil(0), [[], 0, false])
    t.notMatch((await run(["partners"])).out, "muted")
  })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("setContact keeps all characters of the longest texts", async (t) => {
    const database = await freshDatabase(t, engine)
    await new Builder(database).account("berta")
    const texts = { contact: "🦄".repeat(250), notes: "é".repeat(4000) }
    await setContact(database, "berta", texts, {
      ...authorOf({ capabilities: [] }),
      record: recordChange,
    })
    t.match(await readContact(database, "berta"), texts)
  })
})

t.test("the forms of a partner's page", async (t) => {
  const app = await freshApp(t, "sqlite")
  await app.build.account("chief", "operator")
  await app.build.account("anna")
  const { browse } = await browserOf(app, "chief")
  const page = async (path: string) => await (await browse(path)).text()
  const tokenOf = async (name: string) => fieldIn(await page(`/console/partners/${name}`), "token")
  /** Sends the form of a partner's page, with its token unless the fields have another. */
  const submit = async (name: string, fields: Readonly<Record<string, string>>) =>
    await browse(`/console/partners/${name}/contact`, {
      method: "POST",
      headers: { "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ token: await tokenOf(name), ...fields }),
    })

  await t.test("note a contact, escaped, and say so", async (t) => {
    const fields = { action: "contact", contact: "<b>Ann</b>", notes: "one\r\ntwo </textarea>" }
    const { status, headers } = await submit("anna", fields)
    t.equal(status, 303)
    const text = await page(headers.get("location")?.split("#")[0] ?? "")
    t.match(text, "The contact is noted.")
    t.match(text, "&lt;b&gt;Ann&lt;/b&gt;")
    t.match(text, "one\ntwo &lt;/textarea&gt;</textarea>")
    t.notMatch(text, "<b>Ann")
  })

  await t.test("mute until the end of a day, which the overview shows, and end that", async (t) => {
    const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const both = async () => await page("/console?sort=name") + await page("/console/partners/anna")
    const muting = { action: "mute", until, because: 'They "migrate".' }
    t.equal((await submit("anna", muting)).status, 303)
    t.match(await both(), /muted until[^]*muted until[^]*They &quot;migrate&quot;\./)
    t.equal((await submit("anna", { action: "unmute" })).status, 303)
    t.notMatch(await both(), "muted until")
  })

  await t.test("are refused without their token, with wrong fields, and about who is no partner", async (t) => {
    const contact = { action: "contact", contact: "Mallory", notes: "" }
    const token = await tokenOf("anna")
    const cases = [
      ["anna", { ...contact, token: "x" }, 400],
      ["anna", { action: "mute", because: "x", until: "x" }, 400],
      ["anna", { action: "mute", because: "x", until: "2020-01-01" }, 400],
      ["anna", { action: "constructor" }, 303],
      ["chief", { ...contact, token }, 400],
      ["nobody", { ...contact, token }, 400],
    ] as const
    for (const [name, fields, status] of cases) {
      t.equal((await submit(name, fields)).status, status, JSON.stringify(fields))
    }
    t.notMatch(await page("/console/partners/anna"), "Mallory")
    const audited = await app.database.writer.selectFrom("audit_log").selectAll().execute()
    t.match(JSON.stringify(audited), "changed contact and notes")
    t.notMatch(JSON.stringify([app.entries, audited]), /Ann<|one|migrate/)
  })
})

t.test("event_export_partner_muted has the partners that are muted, until that ends", async (t) => {
  const { database, build, start, write } = await freshWorkshop(t)
  const account_id = await build.account("anna")
  await build.account("berta")
  const muted_until = Math.floor(Date.now() / 1000) + 1000
  await database.writer.insertInto("partner_contact").values({ account_id, muted_until }).execute()
  write("  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const service = await start()
  t.equal(await measure(service.instance, "partner_muted", { account: "anna" }), 1)
  t.equal(await measure(service.instance, "partner_muted", { account: "berta" }), undefined)
  await service.close()
  await database.writer.updateTable("partner_contact").set({ muted_until: 1 }).execute()
  const next = await start()
  t.equal(await measure(next.instance, "partner_muted", { account: "anna" }), undefined)
  await next.close()
})
