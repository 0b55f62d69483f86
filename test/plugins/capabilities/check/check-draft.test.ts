import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t, { type Test } from "tap"
import { checkDraft, readDraft } from "../../../../plugins/capabilities/check/check-draft.ts"
import { setDisabled } from "../../../../core/access/accounts.ts"
import type { ConfigError } from "../../../../core/config/problem.ts"
import { readPlan } from "../../../../core/routes/plan.ts"
import { secret } from "../../../support/app.ts"
import { freshWorkshop } from "../../../support/service.ts"

const hidden = "hidden-0123456789-abcdefghijkl-mnopq"

/** The environment of the service: one variable per kind of setting, and one that the file does not use. */
const environment = {
  PORT: "8123",
  DATABASE: "",
  SECRET: `${secret}-of-the-environment`,
  SEGMENT: "segment-from-outside",
  HIDDEN: hidden,
}

/** Starts with a configuration in force, and returns a function that checks drafts in its place. */
async function inForce(t: Test) {
  const { folder, file, url, database, build } = await freshWorkshop(t)
  const text = `server:
  host: 127.0.0.1
  port: \${PORT:-8080}
database:
  url: \${DATABASE}
session:
  secrets: ["\${SECRET}"]
plugins:
  - use: session
  - use: connector-b
    with: { segment: "\${SEGMENT}", organizations: [acme] }
`
  writeFileSync(file, text)
  const running = await readPlan(file, { ...environment, DATABASE: url })
  const check = (draft: string) => checkDraft(database, running, draft)
  const draft = text.replace('"${SEGMENT}"', "connector")
  return { folder, file, url, database, build, running, text, draft, check }
}

t.test("checkDraft shows changes per account: what it gains and loses, and nothing about others", async (t) => {
  const { build, draft, database, file } = await inForce(t)
  for (const slug of ["acme", "borealis"]) await build.organization(slug)
  for (const name of ["one", "two", "other", "nobody", "former"]) await build.account(name)
  await build.account("operator", "operator")
  for (const name of ["one", "two", "former"]) await build.grant(name, { organization: "acme" })
  await setDisabled(database, "former", true)
  await build.grant("other", { organization: "borealis" })
  writeFileSync(file, draft)
  const running = await readPlan(file, { ...environment, DATABASE: "sqlite::memory:" })
  const { routes, perAccount } = await checkDraft(
    database,
    running,
    draft.replace("[acme]", "[acme, borealis]"),
  )
  t.equal(routes.length, 12)
  t.equal(routes[0], "~ GET /connector/v1/events: gains organization borealis")
  t.strictSame(perAccount.map(({ accounts }) => accounts), [["other"]])
  t.match(perAccount[0]?.changes, ["+ GET /connector/v1/events (connector-b; granted)"])
  t.notMatch(JSON.stringify(perAccount), "acme")

  const gone = await checkDraft(
    database,
    running,
    draft.replace(/ {2}- use: connector-b\n.*\n/, ""),
  )
  t.strictSame(gone.perAccount.map(({ accounts }) => accounts), [["one", "two"]])
  t.match(gone.perAccount[0]?.changes[0], /^- GET \/connector\/v1\/events/)
})

t.test("checkDraft says which settings partners feel, to whom that matters, and which other settings differ", async (t) => {
  const { build, check, database, draft } = await inForce(t)
  const account_id = await build.account("busy")
  await build.account("quiet")
  const hour = Math.floor(Date.now() / 3_600_000) * 3600
  await database.writer.insertInto("partner_hour")
    .values({ account_id, hour, polls: 812, walks: 0, records: 0, errors: 0, lag: null })
    .execute()
  const { felt, others, perAccount } = await check(
    `${draft}limits: { quota: 10 }\nlog: { level: debug }\n`,
  )
  t.match(felt, [{ name: "limits.quota", change: "36000 becomes 10", effect: /429/ }])
  t.match(others, [{ name: "log.level", change: "info becomes debug", effect: "", accounts: [] }])
  t.match(perAccount, [{
    accounts: ["busy"],
    changes: [/^~ limits\.quota: 36000 becomes 10 \(used up to 812 an hour last week, .*429\)$/],
  }])
  t.equal(perAccount.length, 1)
  const { fixed } = await check(draft.replace("port: ${PORT:-8080}", "port: 9000"))
  const change = "is 8123 in force and 9000 in the file"
  t.strictSame(fixed, [{ name: "server.port", change }], "it changes with a restart only")
})

t.test("checkDraft returns mistakes with their places", async (t) => {
  const { check, draft } = await inForce(t)
  const { problems, isGood } = await check(draft.replace("host:", "hots:").replace("acme", "A"))
  t.equal(isGood, false)
  t.match(problems, [
    { line: 1, column: 1, message: "the setting host is missing" },
    { line: 2, column: 3, message: "unknown setting hots: did you mean host?" },
    { line: 11, message: /entry 1 must be lower-case letters/ },
  ])
  for (const text of ["", "[]", "a: [", "\0", "just text", "--- 1\n--- 2"]) {
    t.equal((await check(text)).isGood, false, JSON.stringify(text))
  }
})

t.test("checkDraft reveals no secret, wherever a draft refers to it", async (t) => {
  const { check, draft, url } = await inForce(t)
  const secrets = [environment.SECRET, secret, hidden, url]
  const references = ["SECRET", "HIDDEN", "PATH"]
  const places: ((reference: string) => string)[] = [
    (reference) => draft.replace("segment: connector", `segment: ${reference}`),
    (reference) => draft.replace("[acme]", `[${reference}]`),
    (reference) => draft.replace("127.0.0.1", reference),
    (reference) => draft.replace("${PORT:-8080}", reference),
    (reference) => draft.replace("use: session", `use: ${reference}`),
    (reference) => `${draft}log: { level: ${reference} }\n`,
    (reference) => `${draft}unknown: ${reference}\n`,
    (reference) => `x: &x ${reference}\n${draft.replace("127.0.0.1", "*x")}`,
    // Where secrets belong, with an alias of them elsewhere.
    (reference) =>
      draft.replace('["${SECRET}"]', `[&x "${reference}"]`).replace(
        "segment: connector",
        "segment: *x",
      ),
    (reference) =>
      draft.replace("url: ${DATABASE}", `url: &x "${reference}"`).replace("127.0.0.1", "*x"),
  ]
  const inherited = [process.env["PATH"] ?? hidden]
  for (const [row, name] of references.entries()) {
    const forms = [`"\${${name}}"`, `"\${${name}:-x}"`, `"a\${${name}}b"`]
    for (const [index, place] of places.entries()) {
      const reference = forms[(row + index) % forms.length] ?? ""
      const result = JSON.stringify(await check(place(reference)))
      for (const each of [...secrets, ...inherited]) {
        t.notOk(result.includes(each), `${reference} in place ${index}`)
      }
    }
  }
  const { problems: own } = await check(
    draft.replace("segment: connector", 'segment: "${SEGMENT}"'),
  )
  t.match(own, [{ message: /^a draft cannot refer to SEGMENT: / }], "plugins may have secrets, too")
  const { problems } = await check(draft.replace("127.0.0.1", "${HIDDEN}"))
  const [found] = problems
  t.match(found, { line: 2, column: 9, message: /^a draft cannot refer to HIDDEN: / })
  const { problems: same } = await check(draft.replace("127.0.0.1", "${MISSING}"))
  t.equal(same[0]?.message, found?.message.replace("HIDDEN", "MISSING"), "nor whether it is set")
})

t.test("checkDraft opens no file and no database that a draft names", async (t) => {
  const { check, draft, folder } = await inForce(t)
  const file = join(folder, "secret.txt")
  writeFileSync(file, `${hidden}\n`)
  chmodSync(file, 0o600)
  const named = [
    draft.replace('["${SECRET}"]', `[{ file: ${file} }]`),
    draft.replace('["${SECRET}"]', "[{ file: /nowhere }]"),
    draft.replace("url: ${DATABASE}", `url: { file: ${file} }`),
    draft.replace("${DATABASE}", "sqlite:/nowhere/at/all.db"),
    draft.replace("${DATABASE}", "mysql://user:password@192.0.2.1/db"),
    `${draft}demonstration: { module: ${file} }\n`,
  ]
  for (const text of named) {
    const result = await check(text)
    t.equal(result.isGood, true, "the secrets and the database in force are used")
    t.notMatch(JSON.stringify(result), /hidden|nowhere|192\.0\.2\.1/)
  }
})

t.test("checkDraft loads no code but plugins in plugins/ and those in force", async (t) => {
  const { check, draft, folder } = await inForce(t)
  const trace = join(folder, "was-loaded")
  const code = `import { writeFileSync } from "node:fs"\nwriteFileSync(${
    JSON.stringify(trace)
  }, "")\n`
  mkdirSync(join(folder, "evil"))
  for (const name of ["evil/plugin.js", "evil.js"]) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  const names = [
    "./evil",
    join(folder, "evil.js"),
    `../../../../..${join(folder, "evil.js")}`,
    `session/../../..${folder}/evil`,
    `data:text/javascript,${encodeURIComponent(code)}`,
    `file://${folder}/evil.js`,
    "node:child_process",
    "session/plugin.ts",
  ]
  for (const [index, use] of names.entries()) {
    const optional = index % 2 === 0 ? "" : ", optional: true"
    const text = draft.replace("- use: session", `- { use: ${JSON.stringify(use)}${optional} }`)
    t.match(JSON.stringify(await check(text)), "a draft may name only plugins in plugins/", use)
  }
  t.throws(() => readFileSync(trace), "nothing was loaded")
  // The same file is loaded where the configuration in force names it.
  const file = join(folder, "other.yaml")
  writeFileSync(file, draft.replace("- use: session", "- use: ./evil.js"))
  await t.rejects(readPlan(file, environment))
  t.equal(readFileSync(trace, "utf8"), "", "the code does leave a trace")
})

t.test("checkDraft refuses a draft that would take long before it parses it or loads a plugin", async (t) => {
  const { check, draft } = await inForce(t)
  const uses = (count: number) =>
    draft.replace("plugins:", `plugins:\n${"  - use: kit\n".repeat(count)}`)
  for (const text of ["[".repeat(250_000), "x: 1\n".repeat(50_000), uses(23_000)]) {
    t.match(await check(text), {
      isGood: false,
      problems: [{ line: 1, message: "this has too many words and signs to check here" }],
    })
  }
  const { problems } = await check(uses(1000))
  const messages = ["there are too many plugins to check here: no more than 1000 are"]
  t.strictSame(problems.map(({ message }) => message), messages, "none was loaded")
  for (const text of [uses(900), `${draft}${"x: 1\n".repeat(5000)}`]) {
    t.equal((await check(text)).problems.length, 100, "it has enough then")
  }
})

t.test("readDraft refuses too many plugins that extend others, too many routes and too much text", async (t) => {
  const { running, draft } = await inForce(t)
  const entries = (count: number, entry: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `  - ${entry(index)}\n`).join("")
  const base = (index: number) =>
    `{ use: connector-a, optional: true, with: { segment: c${index}, organizations: [acme] } }`
  const customers = entries(
    1700,
    (index) => `{namespace: n${index},organization: acme,service_user: u}`,
  ).replaceAll("  -", "        -")
  const drafts = {
    "too many plugins before it": draft + entries(40, base) +
      entries(40, () => "{ use: connector-a-items, optional: true }"),
    "too much text": `${draft}x: &long ${"x".repeat(100_000)}\ny: [${"*long, ".repeat(9)}]\n`,
    "too many routes": `${draft}  - use: custom-export\n    with:\n      customers:\n${customers}`,
  }
  for (const [reason, text] of Object.entries(drafts)) {
    const reasons = await readDraft(running, text).then(
      ({ failed }) => failed.flatMap(({ reasons }) => reasons),
      ({ problems }: ConfigError) => problems.map(({ message }) => message),
    )
    t.match(reasons.join("\n"), reason)
  }
})
