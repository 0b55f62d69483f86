import { readFileSync } from "node:fs"
import t, { type Test } from "tap"
import { verifyPassword } from "../../../core/access/passwords.ts"
import { findCredentials } from "../../support/find-credentials.ts"
import {
  appendAudit,
  type AuditEntry,
  recordChange,
} from "../../../plugins/capabilities/audit/audit-log.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import { secret } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { isLive } from "../../support/live-session.ts"
import { freshUrl, onEmbedded, openFor } from "../../support/database.ts"
import { type CommandOutcome, runCommand } from "../../support/run-command.ts"
import { emptyRow } from "../../support/sync-rows.ts"

/** The shortest password that is taken, and the longest. */
const [shortest, longest] = ["12 letters!!", "x".repeat(1000)]

/** A command line, what it prints, and its input. Its code is 0 unless the row says another. */
type Step = readonly [
  args: string,
  expected: Partial<Record<keyof CommandOutcome, unknown>>,
  input?: string,
]

await onEmbedded(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const env = { DATABASE_URL: url, SESSION_SECRET: secret }
  const run = (args: string, input = "") => runCommand(args, { env, input })
  const play = async (t: Test, steps: readonly Step[]) => {
    for (const [args, expected, input] of steps) {
      t.match(await run(args, input), { code: 0, ...expected }, args)
    }
  }

  await t.test("migrate creates the schema, and has nothing to apply the second time", (t) =>
    play(t, [
      ["migrate", { out: /^Applied 2000-kernel, / }],
      ["migrate", { out: "Nothing to apply." }],
      ["migrate --drop-unused", { out: "Nothing to apply.\nNothing to drop." }],
    ]))

  const database = await openFor(t, url)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const hashOf = async (name: string) => (await findCredentials(database, name))?.password ?? "none"

  await t.test("account add takes the password from standard input, and stores only its hash", async (t) => {
    await play(t, [["account add ann --role partner", { out: /^Added ann\./ }, `${shortest}\n`]])
    t.match(await findCredentials(database, "ann"), { username: "ann", role: "partner" })
    t.notMatch(await hashOf("ann"), shortest)
    t.equal(await verifyPassword(shortest, await hashOf("ann")), true)
  })

  const add = "account add bob --role partner"
  const refusals: Readonly<Record<string, Step>> = {
    "an existing name": [
      "account add ann --role partner",
      { code: 1, err: /it already exists.*account passwd/ },
    ],
    "a short password": [add, { code: 1, err: /12 characters/ }, "11 letters!"],
    "a long password": [add, { code: 1, err: /at most 1000 bytes/ }, `${longest}x`],
    "no password": [add, { code: 1, err: /12 characters/ }, ""],
    "a password that contains the name": [add, { code: 1, err: /name/ }, "hello Bob, hello"],
    "an invalid name": ["account add Bob! --role partner", { code: 1, err: /lower-case/ }],
    "an unknown role": [
      "account add bob --role king",
      { code: 2, err: /service, partner, operator/ },
    ],
    "no role": ["account add bob", { code: 2, err: /--role/ }],
    "a password as an argument": [
      "account add bob secret --role partner",
      { code: 2, err: /too many arguments/ },
    ],
  }
  for (const [name, [args, expected, input = shortest]] of Object.entries(refusals)) {
    await t.test(`account add refuses ${name}, and adds nothing`, async (t) => {
      await play(t, [[args, expected, input]])
      t.equal(await findCredentials(database, "bob"), undefined)
    })
  }

  for (const name of ["passwd", "revoke", "disable"]) {
    await t.test(`account ${name} ends the account's sessions`, async (t) => {
      const { id = "", epoch = -1 } = await findCredentials(database, "ann") ?? {}
      const session = await insertSession(database, id, 3600)
      const live = () => isLive(database, { session, epoch, account: id })
      t.ok(await live())
      const list = /^ann +partner +(enabled|disabled) +0 +never +never$/m
      await play(t, [[`account ${name} ann`, { out: /ann/ }, longest], ["account list", {
        out: list,
      }]])
      t.notOk(await live())
    })
  }

  await t.test("account list shows live sessions, and when an account was used last", async (t) => {
    const id = await build.account("busy", "service")
    for (let n = 0; n < 3; n++) await insertSession(database, id, n > 0 ? 3600 : -1)
    const used = { account_id: id, last_log_in: 1_700_000_000, last_poll: 1_700_003_600 }
    await database.writer.insertInto("account_activity").values(used).execute()
    const times = String.raw`2023-11-14\S* *22:13:20\S* +2023-11-14\S* *23:13:20\S*`
    const out = new RegExp(`^busy +service +enabled +2 +${times}$`, "m")
    await play(t, [["account list", { out }]])
  })

  await t.test("account disable --undo lets an account log in again, with its new password", async (t) => {
    t.equal(await hashOf("ann"), "none")
    await play(t, [["account disable ann --undo", {}]])
    t.equal(await verifyPassword(longest, await hashOf("ann")), true)
  })

  await t.test("access grants and withdraws an organization and an event", async (t) => {
    const grant = "access grant ann --organization acme"
    await play(t, [
      [grant, { out: "ann may read acme." }],
      [grant, {}],
      [`access grant ann --event ${event.toUpperCase()}`, {}],
    ])
    await build.account("someone-else")
    await build.grant("someone-else", { organization: "acme" })
    const rows = async () =>
      (await run("access list ann")).out.split("\n").slice(1).map((line) => line.split(/ +/))
    t.strictSame(await rows(), [["ann", "event", event], ["ann", "organization", "acme"]])
    const limited = /^ann +organization +acme +2030-02-01T.* +10.0.0.0\/8 ::1$/m
    await play(t, [
      [`${grant} --until 2030-01-31 --from 10.0.0.0/8 --from ::1`, {
        out: "ann may read acme until 2030-02-01T00:00:00Z from 10.0.0.0/8, ::1.",
      }],
      ["access list", { out: limited }],
      [`${grant} --until soon`, { code: 1 }],
      [`${grant} --from home`, { code: 1, err: /home is not a network/ }],
      [`${grant} --from ::1 --from 10.0.0.1/8`, {
        code: 1,
        err: "10.0.0.1/8 has bits after its prefix: write it as 10.0.0.0/8.",
      }],
      [`${grant} --until 2020-01-01`, {
        code: 1,
        err: "2020-01-01 has passed: name a future time. Nothing was changed.",
      }],
      ["access list", { out: limited }],
    ])
    t.notMatch((await run("access list")).out, "(ended)")
    await database.writer.updateTable("access_grant").set({ ends: 1_577_836_800 })
      .where("ends", "is not", null).execute()
    await play(t, [
      ["access list ann", { out: /acme +2020-01-01T00:00:00Z \(ended\) / }],
      ["access withdraw ann --organization acme", {}],
      [`access withdraw ann --event ${event}`, {}],
      ["access withdraw ann --organization acme", { code: 1, err: /no such grant/ }],
    ])
    t.strictSame(await rows(), [])
  })

  await t.test("commands about what is not there fail with the reason", (t) =>
    play(
      t,
      [
        "access grant nobody --organization acme",
        "access grant ann --organization nowhere",
        `access grant ann --event ${crypto.randomUUID()}`,
        "access grant ann",
        "access list nobody",
        "account passwd nobody",
        "account revoke nobody",
        "account disable nobody",
      ].map((args) => [args, { code: 1, out: "", err: /There is no|Name a target/ }, shortest]),
    ))

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
    const about = `audit --account ann --event ${event.toUpperCase()} --since 2030-01-01`
    const line =
      /^2030-03-17T17:46:40Z +ann +192.0.2.1 .* since=5 offset=10 q of 8 +2 +200 +3 ms +r$/m
    await play(t, [[about, { out: line }]])
    await append([{ ...entry, sent: 0 }])
    await play(t, [
      ["audit --limit 1", { out: /q of 8 +0 +200 / }],
      ["audit --account bob", { out: /^TIME[^\n]*$/ }],
      ["audit --json --limit 1", { out: /"account": ?"ann"/ }],
      ["audit --limit none", { code: 1, err: /whole number/ }],
      ["audit --action nonsense", {
        code: 2,
        err: /'nonsense' is invalid. Allowed choices are list, log-in, log-out, .*withdraw/,
      }],
      ["audit --action list --limit 1", { out: /192.0.2.1/ }],
    ])
    for (const detail of [`${"x".repeat(90)}`, "SIGHUP: one\nof 2 lines"]) {
      await recordChange(database, {
        ...{ action: "reload", actor: "service", account: null, address: "host", detail },
      })
    }
    const short = / reload by service: x{80}… .*\n.* reload by service: SIGHUP: one… /
    await play(t, [["audit --action reload", { out: short }]])
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
    const ofKept =
      /^Guest of event .* \(Autumn Gala\):\nACCOUNT .*\nann +\/p\/v1 +sent +2\S+Z +2\S+Z +id, email$/
    await play(t, [[`disclosures --guest ${kept.toUpperCase()}`, { out: ofKept }]])
    await database.writer.insertInto("erasure_notice")
      .values({ ...about, kind: "told", from_time: at, to_time: at, at: 1_900_000_000 }).execute()
    const unknown = crypto.randomUUID()
    await play(t, [
      [`disclosures --guest ${deleted}`, {
        out: /deleted at .*TOLD .*2030-03-17T17:46:40Z +never +never/s,
      }],
      [`disclosures --guest ${unknown}`, { out: /is known.*--event/ }],
      [`disclosures --guest ${unknown} --event ${event}`, { out: /If there was one.*\nann /s }],
      ["disclosures --overdue", { out: /^ann +\S+ +Autumn Gala +1 /m }],
      ["disclosures --overdue --days 10", { out: /^Every deletion/ }],
      ...["", " --overdue --days x", ` --overdue --guest ${kept}`].map((rest): Step => [
        `disclosures${rest}`,
        { code: 1, err: /--guest <id>|whole number/ },
      ]),
    ])
    t.match(JSON.parse((await run(`disclosures --guest ${kept} --json`)).out), {
      guest: kept,
      records: [{ recipients: [{ account: "ann", certain: true }] }],
    })
    t.match(JSON.parse((await run("disclosures --overdue --json")).out), [
      { account: "ann", guests: 1 },
    ])
  })

  await t.test("demo --fill refuses a database that is in use", (t) =>
    play(t, [["demo --fill", { code: 1, err: /Nothing was changed/ }]]))

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

t.test("serve refuses a database that is not migrated", async (t) => {
  const env = { DATABASE_URL: await freshUrl(t, "sqlite"), SESSION_SECRET: secret, PORT: "0" }
  t.match(await runCommand("serve", { env }), {
    code: 1,
    err: /lacks migration 2000-kernel.*event-export migrate/,
  })
})

t.test("grants names the user and the database of database.url, decoded, or the user that is named", async (t) => {
  const env = {
    SESSION_SECRET: secret,
    DATABASE_URL: "mysql://a%40b:secret@db.example.org/na%20me",
  }
  t.match(await runCommand("grants", { env }), {
    code: 0,
    out: /^grant select on `na me`\.`account` to 'a@b'@'%';$/m,
  })
  t.match(await runCommand("grants --user c --host 10.%", { env }), {
    code: 0,
    out: /^grant select on `na me`\.`account` to 'c'@'10\.%';$/m,
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
  const file = `${t.testdir({ "config.yaml": "server: 7\n" })}/config.yaml`
  const expected = { code: 2, out: "", err: /config.yaml:1:9: server must be/ }
  for (const command of ["check", "routes", "openapi", "serve", "migrate", "account list"]) {
    t.match(await runCommand(`--config ${file} ${command}`), expected, command)
  }
  t.match(await runCommand("check", { env: { CONFIG: file } }), expected, "CONFIG names it, too")
})

t.test("commands refuse an empty path of the configuration, as of a variable that is not set", async (t) => {
  const expected = { code: 2, out: "", err: /^--config or CONFIG is empty: name a file/ }
  t.match(await runCommand("--config= check"), expected)
  t.match(await runCommand("check", { env: { CONFIG: "" } }), expected)
})

t.test("commands have help and a version, and an unknown command or option exits with code 2", async (t) => {
  for (const command of ["", "serve", "migrate", "demo", "account add", "access grant"]) {
    const expected = { code: 0, out: /Usage: event-export/ }
    t.match(await runCommand(`${command} --help`), expected, command)
  }
  const { version } = JSON.parse(readFileSync("package.json", "utf8"))
  t.match(await runCommand("--version"), { code: 0, out: version })
  t.match(await runCommand("sevre"), { code: 2, err: /Did you mean serve/ })
  t.match(await runCommand("serve --fast"), { code: 2, err: /unknown option/ })
})
