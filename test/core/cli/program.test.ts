import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { verifyPassword } from "../../../core/access/passwords.ts"
import { findCredentials } from "../../../core/access/accounts.ts"
import { appendAudit, type AuditEntry } from "../../../plugins/capabilities/audit/audit-log.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { isLive } from "../../support/live-session.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"
import { withoutSlow } from "../../support/quick.ts"
import { type CommandOutcome, runCommand } from "../../support/run-command.ts"
import { emptyRow } from "../../support/sync-rows.ts"

const good = "a good long password"

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  const run = (args: string, input = "") => runCommand(args, { env, input })

  await t.test("migrate creates the schema, and has nothing to apply the second time", async (t) => {
    t.match(await run("migrate"), { code: 0, out: /^Applied 0001-baseline, / })
    t.match(await run("migrate"), { code: 0, out: "Nothing to apply." })
    t.match(await run("migrate --drop-unused"), {
      code: 0,
      out: "Nothing to apply.\nNothing to drop.",
    })
  })

  const database = await openFor(t, url)
  const build = new Builder(database)
  const organization = await build.organization("acme")
  const event = await build.event(organization)

  await t.test("account add takes the password from standard input, and stores only its hash", async (t) => {
    t.match(await run("account add ann --role partner", `${good}\n`), {
      code: 0,
      out: /^Added ann\./,
    })
    const ann = await findCredentials(database, "ann")
    t.match(ann, { username: "ann", role: "partner" })
    t.notMatch(ann?.password, good)
    t.equal(await verifyPassword(good, ann?.password), true)
  })

  await t.test("account add accepts passwords of 12 to 1000 characters", async (t) => {
    for (const [name, length] of [["mia", 12], ["leo", 1000]] as const) {
      t.match(await run(`account add ${name} --role partner`, "x".repeat(length)), { code: 0 })
    }
  })

  const refusals: Record<
    string,
    [args: string, input: string, expected: Partial<Record<keyof CommandOutcome, unknown>>]
  > = {
    "an existing name": ["account add ann --role partner", good, {
      code: 1,
      err: /it already exists.*account passwd/,
    }],
    "a short password": ["account add bob --role partner", "11 letters!", {
      code: 1,
      err: /12 characters/,
    }],
    "a long password": ["account add bob --role partner", "x".repeat(1001), {
      code: 1,
      err: /at most 1000 characters/,
    }],
    "no password": ["account add bob --role partner", "", { code: 1, err: /12 characters/ }],
    "a password that contains the name": ["account add bob --role partner", "hello Bob, hello", {
      code: 1,
      err: /name/,
    }],
    "an invalid name": ["account add Bob! --role partner", good, {
      code: 1,
      err: /lower-case/,
    }],
    "an unknown role": ["account add bob --role king", good, {
      code: 2,
      err: /service, partner, operator/,
    }],
    "no role": ["account add bob", good, { code: 2, err: /--role/ }],
    "a password as an argument": ["account add bob secret --role partner", good, {
      code: 2,
      err: /too many arguments/,
    }],
  }
  for (const [name, [args, input, expected]] of Object.entries(refusals)) {
    await t.test(`account add refuses ${name}, and adds nothing`, async (t) => {
      t.match(await run(args, input), expected)
      t.equal(await findCredentials(database, "bob"), undefined)
    })
  }

  const endings: Record<string, string> = {
    passwd: "account passwd ann",
    revoke: "account revoke ann",
    disable: "account disable ann",
  }
  for (const [name, args] of Object.entries(endings)) {
    await t.test(`account ${name} ends the account's sessions`, async (t) => {
      const { id = "", epoch = -1 } = await findCredentials(database, "ann") ?? {}
      const session = await insertSession(database, id, 3600)
      const live = () => isLive(database, { session, epoch, account: id })
      t.ok(await live())
      t.match(await run(args, `${good} anew`), { code: 0, out: /ann/ })
      t.notOk(await live())
      t.match(await run("account list"), {
        out: /^ann +partner +(enabled|disabled) +0 +never +never$/m,
      })
    })
  }

  await t.test("account list shows live sessions, and when an account was used last", async (t) => {
    const id = await build.account("busy", "service")
    for (let n = 0; n < 3; n++) await insertSession(database, id, n > 0 ? 3600 : -1)
    const used = { account_id: id, last_log_in: 1_700_000_000, last_poll: 1_700_003_600 }
    await database.writer.insertInto("account_activity").values(used).execute()
    const times = String.raw`2023-11-14\S* *22:13:20\S* +2023-11-14\S* *23:13:20\S*`
    t.match(
      (await run("account list")).out,
      new RegExp(`^busy +service +enabled +2 +${times}$`, "m"),
    )
  })

  await t.test("account disable --undo lets an account log in again", async (t) => {
    t.equal(await findCredentials(database, "ann"), undefined)
    t.match(await run("account disable ann --undo"), { code: 0 })
    const ann = await findCredentials(database, "ann")
    t.equal(
      await verifyPassword(`${good} anew`, ann?.password),
      true,
      "passwd has changed the password",
    )
  })

  await t.test("access grants and withdraws an organization and an event", async (t) => {
    t.match(await run("access grant ann --organization acme"), {
      code: 0,
      out: "ann may read acme.",
    })
    t.match(
      await run("access grant ann --organization acme"),
      { code: 0 },
      "a second grant changes nothing",
    )
    t.match(await run(`access grant ann --event ${event.toUpperCase()}`), { code: 0 })
    await build.account("someone-else")
    await build.grant("someone-else", { organization: "acme" })
    const { out } = await run("access list ann")
    t.strictSame(out.split("\n").slice(1).map((line) => line.split(/ +/)), [
      ["ann", "event", event],
      ["ann", "organization", "acme"],
    ])
    t.match(
      await run(
        "access grant ann --organization acme --until 2030-01-31 --from 10.0.0.0/8 --from ::1",
      ),
      { code: 0, out: "ann may read acme until 2030-02-01T00:00:00Z from 10.0.0.0/8, ::1." },
    )
    t.match(
      (await run("access list")).out,
      /^ann +organization +acme +2030-02-01T.* +10.0.0.0\/8 ::1$/m,
    )
    t.match(await run("access grant ann --organization acme --until soon"), { code: 1 })
    t.match(await run("access grant ann --organization acme --from home"), {
      code: 1,
      err: /home is not a network/,
    })
    t.match(await run("access grant ann --organization acme --from ::1 --from 10.0.0.1/8"), {
      code: 1,
      err: "10.0.0.1/8 has bits behind its length: write it as 10.0.0.0/8.",
    })
    t.match(await run("access grant ann --organization acme --until 2020-01-01"), {
      code: 1,
      err: "2020-01-01 is over: name a time that comes. Nothing was changed.",
    })
    t.match((await run("access list")).out, /2030/, "a refused grant changes nothing")
    t.notMatch((await run("access list")).out, "(ended)")
    await database.writer.updateTable("access_grant").set({ ends: 1_577_836_800 })
      .where("ends", "is not", null).execute()
    t.match((await run("access list ann")).out, /acme +2020-01-01T00:00:00Z \(ended\) /)
    t.match(await run("access withdraw ann --organization acme"), { code: 0 })
    t.match(await run(`access withdraw ann --event ${event}`), { code: 0 })
    t.equal((await run("access list ann")).out.split("\n").length, 1)
    t.match(await run("access withdraw ann --organization acme"), { code: 1, err: /no such grant/ })
  })

  for (
    const args of [
      "access grant nobody --organization acme",
      "access grant ann --organization nowhere",
      `access grant ann --event ${crypto.randomUUID()}`,
      "access grant ann",
      "access list nobody",
      "account passwd nobody",
      "account revoke nobody",
      "account disable nobody",
    ]
  ) {
    await t.test(`${args.replace(/[0-9a-f-]{36}/, "UNKNOWN")} fails with the reason`, async (t) => {
      t.match(await run(args, good), { code: 1, out: "", err: /There is no|Name a target/ })
    })
  }

  await t.test("audit shows who requested what", async (t) => {
    const entry = {
      at: 1_900_000_000,
      action: "list",
      account: "ann",
      address: "192.0.2.1",
      plugin: "p",
      request_id: "r",
      route: "/p/v1/events/:eventId/guests",
      event_id: event,
      since: 5,
      first: 10,
      cursor_text: null,
      search_length: 8,
      sent: 2,
      status: 200,
      code: null,
      milliseconds: 3,
    } as const
    const append = (entries: AuditEntry[]) =>
      appendAudit(database, entries, AbortSignal.timeout(10_000))
    await append([entry])
    const about = `audit --account ann --event ${event.toUpperCase()}`
    const { out } = await run(`${about} --since 2030-01-01`)
    t.match(
      out,
      /^2030-03-17T17:46:40Z +ann +192.0.2.1 .* since=5 offset=10 q of 8 +2 +200 +3 ms +r$/m,
    )
    await append([{ ...entry, sent: 0 }])
    t.match(
      (await run("audit --limit 1")).out,
      /q of 8 +0 +200 /,
      "an empty page is no missing one",
    )
    t.equal((await run("audit --account bob")).out.split("\n").length, 1)
    t.match(JSON.parse((await run("audit --json --limit 1")).out), { account: "ann" })
    t.match(await run("audit --limit none"), { code: 1, err: /whole number/ })
    t.match(await run("audit --action nonsense"), {
      code: 2,
      err: /'nonsense' is invalid. Allowed choices are list, log-in, log-out, .*withdraw/,
    })
    t.match((await run("audit --action list --limit 1")).out, /192.0.2.1/)
    await append(Array(100).fill(entry))
    t.equal((await run("audit")).out.split("\n").length, 1 + 100, "the head, and the latest 100")
  })

  await t.test("disclosures shows who received a guest and what is overdue", async (t) => {
    const [now] = await database.writer.selectNoFrom(database.dialect.now.as("now")).execute()
    const at = (now?.now ?? 0) - 9 * 86_400
    const [kept, deleted] = [crypto.randomUUID(), crypto.randomUUID()]
    for (const id of [kept, deleted]) await build.guest(event, { id })
    await database.writer.deleteFrom("guest").where("id", "=", deleted).execute()
    await database.writer.updateTable("deletion").set({ at }).where("record_id", "=", deleted)
      .execute()
    const { id: account_id } = await database.writer.selectFrom("account").select("id")
      .where("username", "=", "ann").executeTakeFirstOrThrow()
    const about = { event_id: event, account_id, prefix: "/p/v1", list: "guests" }
    await database.writer.insertInto("field_set")
      .values({ id: "some", fields: '["Guest.id","Guest.email"]' }).execute()
    await database.writer.insertInto("disclosure")
      .values({
        ...about,
        fields: "some",
        whole: 1,
        from_time: 0,
        to_time: at,
        first_at: at - 9,
        last_at: at,
        first_next: at - 9,
      })
      .execute()
    t.match(await run(`disclosures --guest ${kept.toUpperCase()}`), {
      code: 0,
      out:
        /^Guest of event .* \(Autumn Gala\):\nACCOUNT .*\nann +\/p\/v1 +sent +2\S+Z +2\S+Z +id, email$/,
    })
    await database.writer.insertInto("erasure_notice")
      .values({ ...about, kind: "told", from_time: at, to_time: at, at: 1_900_000_000 }).execute()
    t.match(
      (await run(`disclosures --guest ${deleted}`)).out,
      /deleted at .*TOLD .*2030-03-17T17:46:40Z +never +never/s,
    )
    t.match(JSON.parse((await run(`disclosures --guest ${kept} --json`)).out), {
      guest: kept,
      records: [{ recipients: [{ account: "ann", certain: true }] }],
    })
    const unknown = crypto.randomUUID()
    t.match(await run(`disclosures --guest ${unknown}`), { code: 0, out: /is known.*--event/ })
    t.match(
      (await run(`disclosures --guest ${unknown} --event ${event}`)).out,
      /If there was one.*\nann /s,
    )
    t.match((await run("disclosures --overdue")).out, /^ann +\S+ +Autumn Gala +1 /m)
    t.match(await run("disclosures --overdue --days 10"), { code: 0, out: /^Every deletion/ })
    t.match(JSON.parse((await run("disclosures --overdue --json")).out), [{
      account: "ann",
      guests: 1,
    }])
    for (const args of ["", " --overdue --days x", ` --overdue --guest ${kept}`]) {
      t.match(await run(`disclosures${args}`), { code: 1, err: /--guest <id>|whole number/ })
    }
  })

  await t.test("demo --fill refuses a database that is in use", async (t) => {
    t.match(await run("demo --fill"), { code: 1, err: /Nothing was changed/ })
  })
  await t.test("no command lets a name write to the terminal anything but text in its own line", async (t) => {
    const name = "EVN\x1b]0;owned\x07\x9b2J\nFAKE LINE\u202e"
    const slug = "slug\nFAKE LINE"
    const named = await build.event(await build.organization(slug), { name })
    const guest = await build.guest(named, { id: crypto.randomUUID() })
    const reader = await build.account("reader")
    await build.grant("reader", { event: named })
    // What it may not read any more is named by "partners".
    const lost = await build.event(await build.organization("lost"), { name })
    await database.writer.insertInto("sync_state").values(
      emptyRow({ account_id: reader, event_id: lost, last_poll: Math.floor(Date.now() / 1000) }),
    ).execute()
    await build.account("op", "operator")
    const commands = [
      `access explain reader ${named}`,
      `access explain reader ${named} --json`,
      `disclosures --guest ${guest}`,
      `disclosures --guest ${guest} --json`,
      "disclosures --overdue --days 0",
      "access list",
      "account list",
      "account sessions",
      "partners",
      "partners reader",
      "partners --json",
      "audit",
      "audit --json",
    ]
    let shown = 0
    for (const command of commands) {
      const { text } = await run(command)
      t.notMatch(text, /(?![\t\n])[\p{Cc}\p{Bidi_Control}]|^FAKE/mu, command)
      if (text.includes("owned")) shown++
      if (command.endsWith("--json") && text.includes("owned")) {
        t.equal(JSON.parse(text).records[0].event.name, name, "JSON keeps its meaning")
      }
    }
    t.equal(shown, 4, "the name is printed somewhere")
  })
})

t.test("demo --fill fills an empty database with accounts that can log in", {
  skip: withoutSlow,
}, async (t) => {
  const url = await freshUrl(t, "sqlite")
  const environment = { DATABASE_URL: url, SESSION_SECRET: secret }
  await runCommand("migrate", { env: environment })
  t.match(await runCommand("demo elsewhere --fill", { env: environment }), {
    code: 1,
    err: /leave out the folder\. Nothing was changed/,
  })
  t.match(await runCommand("demo --fill", { env: environment }), { code: 0, out: /loopback only/ })
  const database = await openFor(t, url)
  const account = await findCredentials(database, "partner-b")
  t.equal(await verifyPassword("demo", account?.password), true)
})

t.test("serve refuses a database that is not migrated", async (t) => {
  const environment = {
    DATABASE_URL: await freshUrl(t, "sqlite"),
    SESSION_SECRET: secret,
    PORT: "0",
  }
  t.match(await runCommand("serve", { env: environment }), {
    code: 1,
    err: /lacks organization, .*event-export migrate/,
  })
})

t.test("routes lists the routes of a configuration", async (t) => {
  const environment = { SESSION_SECRET: secret }
  const { out } = await runCommand("routes", { env: environment })
  t.match(out, /^METHOD +PATH +PLUGIN +WHO +NOTE$/m)
  t.match(
    out,
    /^GET +\/connector-a\/v1\/events\/:eventId\/guests +connector-a +granted; on for acme$/m,
  )
})

t.test("grants names the user and the database of database.url, decoded, or the user that is named", async (t) => {
  const env = {
    SESSION_SECRET: secret,
    DATABASE_URL: "mysql://a%40b:secret@db.example.org/na%20me",
  }
  t.match(await runCommand("grants", { env }), {
    code: 0,
    out: /^grant select on `na me`\.`organization` to 'a@b'@'%';$/m,
  })
  t.match(await runCommand("grants --user c --host 10.%", { env }), {
    code: 0,
    out: /^grant select on `na me`\.`organization` to 'c'@'10\.%';$/m,
  })
  const accountRights = async (args: string) =>
    (await runCommand(args, { env })).out.split("\n").filter((line) =>
      /`(account|access_grant)`/.test(line)
    ).map((line) => line.split(" on ")[0])
  t.strictSame(await accountRights("grants"), ["grant select", "grant select"])
  t.strictSame(await accountRights("grants --accounts"), [
    "grant select, insert, update, delete",
    "grant select, insert, delete",
  ])
})

t.test("openapi prints the document of all routes, with the URL that partners use", async (t) => {
  const { code, out } = await runCommand("openapi", {
    env: { SESSION_SECRET: secret, PORT: "8099" },
  })
  const { openapi, servers, paths } = JSON.parse(out)
  t.match({ code, openapi, servers }, {
    code: 0,
    openapi: "3.1.0",
    servers: [{ url: "http://127.0.0.1:8099" }],
  })
  t.match(paths["/connector-a/v1/events/{eventId}/guests"], { get: { tags: ["connector-a"] } })
})

t.test("commands exit with code 2 and the position of an error in the configuration", async (t) => {
  const { file } = configFile(t, "server: 7\n")
  for (const command of ["check", "routes", "openapi", "serve", "migrate", "account list"]) {
    t.match(await runCommand(`--config ${file} ${command}`), {
      code: 2,
      out: "",
      err: /config.yaml:1:9: server must be/,
    })
  }
  t.match(
    await runCommand("check", { env: { CONFIG: file } }),
    { code: 2, err: /config.yaml:1:9/ },
    "CONFIG names the file, too",
  )
})

t.test("commands have help, and an unknown command or option exits with code 2", async (t) => {
  for (
    const command of [
      "",
      "serve",
      "migrate",
      "check",
      "routes",
      "openapi",
      "demo",
      "account",
      "account add",
      "access",
      "access grant",
    ]
  ) {
    t.match(
      await runCommand(`${command} --help`),
      { code: 0, out: /Usage: event-export/ },
      command,
    )
  }
  t.match(await runCommand("sevre"), { code: 2, err: /Did you mean serve/ })
  t.match(await runCommand("serve --fast"), { code: 2, err: /unknown option/ })
})

function configFile(t: Test, text: string) {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "config.yaml")
  writeFileSync(file, text)
  return { file }
}
