import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { ConfigError, type ConfigProblem } from "../../../core/config/problem.ts"
import { type Config, readConfig } from "../../../core/config/read.ts"

const secret = "kT9wq2Zr7LmX4vBn8HsD1fGj6PyC3eUa"

const good = `server:
  host: 127.0.0.1
  port: 8080
database:
  url: sqlite:test.db
session:
  secrets: [${secret}]
plugins:
  - use: session
  - use: connector-b
    with:
      segment: connector-b
      organizations: [acme]
`

t.test("readConfig returns the settings, with defaults and mounted routes", async (t) => {
  const { folder, read } = files(t)
  const config = await read(good)
  t.match(config, {
    server: { host: "127.0.0.1", port: 8080, publicUrl: undefined },
    database: { url: `sqlite:${join(folder, "test.db")}`, connections: 10, time_limit: 10 },
    session: { secrets: [secret], lifetime: 43_200, cookie: "event_export_session" },
    log: { level: "info", format: "auto" },
  })
  t.equal(config.routes.length, 10)
  t.ok(Object.isFrozen(config.routes))
})

t.test("readConfig reads the default configuration", async (t) => {
  const config = await readConfig("config/event-export.yaml", { SESSION_SECRET: secret })
  t.match(config.plugins.map(({ plugin }) => plugin.name), [
    "session",
    "health",
    "docs",
    "status",
    "openapi",
    "custom-export",
    "connector-a",
    "connector-b",
  ])
})

t.test("readConfig replaces environment variables, with their type if the text is not quoted", async (t) => {
  const { read } = files(t)
  const text = good
    .replace("port: 8080", "port: ${PORT:-8080}")
    .replace("host: 127.0.0.1", 'host: "${HOST}"')
  t.match((await read(text, { HOST: "::1", PORT: "0" })).server, { host: "::1", port: 0 })
  t.match(
    (await read(text, { HOST: "::1", PORT: "" })).server,
    { port: 8080 },
    "an empty variable counts as not set",
  )
})

t.test("readConfig reads secrets from a file, newest first", async (t) => {
  const { folder, read } = files(t)
  const [a, b] = [secret, `${secret}-older`]
  writeFileSync(join(folder, "secrets"), `${a}\n\n${b}\n`, { mode: 0o600 })
  const { session } = await read(good.replace(`[${secret}]`, "[{ file: secrets }]"))
  t.strictSame(session.secrets, [a, b])
})

t.test("readConfig reads the database's URL from a file", async (t) => {
  const { folder, read } = files(t)
  writeFileSync(join(folder, "url"), "mysql://ann:pw@db/name\n", { mode: 0o600 })
  const { database } = await read(good.replace(/url: .*/, "url: { file: url }"))
  t.equal(database.url, "mysql://ann:pw@db/name")
  chmodSync(join(folder, "url"), 0o644)
  t.match(await problemsOf(read(good.replace(/url: .*/, "url: { file: url }"))), [{
    message: /cannot use the file: everyone on this machine/,
  }])
})

t.test("readConfig rejects secrets that others can read or guess, and never shows them", async (t) => {
  const { folder, read } = files(t)
  const guessable = [
    "x".repeat(40),
    "01234567890123456789012345678901",
    "please-change-me-please-change-me-now",
    "complex_password_at_least_32_characters_long",
    "your-secret-key-goes-here-0123456789",
  ]
  for (const weak of guessable) {
    const [problem] = await problemsOf(read(good.replace(`[${secret}]`, `["${weak}"]`)))
    t.match(problem, {
      line: 7,
      column: 13,
      message: /^entry 1 must not be one that can be guessed/,
    })
    t.notMatch(JSON.stringify(problem), weak)
    writeFileSync(join(folder, "secrets"), `${secret}\n${weak}\n`, { mode: 0o600 })
    const [inFile] = await problemsOf(read(good.replace(`[${secret}]`, "[{ file: secrets }]")))
    t.match(inFile, { message: /secret 2 in the file must not be one that can be guessed/ })
    t.notMatch(JSON.stringify(inFile), weak)
  }
  writeFileSync(join(folder, "open"), secret, { mode: 0o644 })
  t.match(await problemsOf(read(good.replace(`[${secret}]`, "[{ file: open }]"))), [{
    message: /everyone on this machine may use the file/,
  }])
})

/** Changes to the good file, each with the problems that follow: line:column message. */
const broken: Record<string, [change: (text: string) => string, problems: string[]]> = {
  "an unknown setting": [
    (text) => text.replace("host:", "hots:"),
    ["2:3 unknown setting hots: did you mean host?", "1:1 the setting host is missing"],
  ],
  "an unknown setting at the top": [
    (text) => `colour: red\n${text}`,
    ["1:1 unknown setting colour"],
  ],
  "a wrong type": [(text) => text.replace("port: 8080", "port: many"), [
    "3:9 port must be a whole number from 0 to 65535",
  ]],
  "a number outside its range": [(text) => text.replace("8080", "80800"), [
    "3:9 port must be a whole number from 0 to 65535",
  ]],
  "a missing group": [(text) => text.replace(/database:\n.*\n/, ""), [
    "1:1 the setting database is missing",
  ]],
  "a missing variable": [
    (text) => text.replace("8080", "${NO_SUCH_PORT}"),
    ["3:9 the environment variable NO_SUCH_PORT is not set"],
  ],
  "a missing variable beside other problems": [
    (text) =>
      text.replace("8080", "${NO_SUCH_PORT}").replace("[acme]", "${NO_SUCH_LIST}").replace(
        "url",
        "uri",
      ),
    [
      "3:9 the environment variable NO_SUCH_PORT is not set",
      "4:1 the setting url is missing",
      "5:3 unknown setting uri",
      "13:22 the environment variable NO_SUCH_LIST is not set",
    ],
  ],
  "an invalid reference": [(text) => text.replace("8080", "${no-such}"), [
    "3:9 ${no-such} is not a reference",
  ]],
  "a short secret": [(text) => text.replace(secret, "short"), [
    "7:13 entry 1 must be at least 32 characters",
  ]],
  "a missing secret file": [
    (text) => text.replace(`[${secret}]`, "[{ file: nowhere }]"),
    ["7:21 cannot use the secrets: ENOENT"],
  ],
  "a missing plugin": [
    (text) => text.replace("use: session", "use: sessions"),
    ["9:10 cannot use plugin sessions: there is no plugin sessions"],
  ],
  "a path as a plugin": [
    (text) => text.replace("use: session", "use: ../core"),
    ["9:10 cannot use plugin ../core: there is no such file"],
  ],
  "an unknown setting of a plugin": [
    (text) => text.replace("organizations:", "organisations:"),
    [
      "13:7 unknown setting organisations: did you mean organizations?",
      "11:5 the setting organizations is missing",
    ],
  ],
  "a setting of a plugin of the wrong type": [
    (text) => text.replace("[acme]", "acme"),
    ['13:22 organizations must be Array, not "acme"'],
  ],
  "an invalid segment": [
    (text) => text.replace("segment: connector-b", "segment: a/b"),
    ["12:16 segment must be lower-case letters"],
  ],
  "two plugins for one path": [
    (text) =>
      `${text}  - use: connector-a\n    with: { segment: connector-b, organizations: [] }\n`,
    [
      "14:10 Cannot mount GET /connector-b/v1/events: it is claimed by plugins connector-b and connector-a both",
      "14:10 Cannot mount GET /connector-b/v1/events/:eventId/guests: ",
      "14:10 Cannot mount GET /connector-b/v1/events/:eventId/guests/deletions: ",
      "14:10 Cannot mount GET /connector-b/v1/events/:eventId/guests/digest: ",
    ],
  ],
  "invalid YAML": [(text) => `${text}  - {`, ["14:"]],
  "a duplicate key": [(text) => text.replace("  port: 8080", "  host: other\n  port: 8080"), [
    "3:3 Map keys must be unique",
  ]],
  "an empty file": [() => "", ["1:1 the value must be a group of settings"]],
  "a list at the top": [() => "- a", ["1:1 the value must be a group of settings"]],
}

for (const [name, [change, expected]] of Object.entries(broken)) {
  t.test(`readConfig rejects ${name} with the position`, async (t) => {
    const problems = await problemsOf(files(t).read(change(good)))
    const shown = problems.map(({ line, column, message }) => `${line}:${column} ${message}`)
    for (const problem of expected) {
      t.ok(shown.some((text) => text.startsWith(problem)), `${problem}\nin\n${shown.join("\n")}`)
    }
    t.equal(shown.length, expected.length, shown.join("\n"))
  })
}

t.test("readConfig reports all problems at once, in the order of the file", async (t) => {
  const text = good.replace("8080", "many").replace(secret, "short").replace("[acme]", "7").replace(
    "url",
    "uri",
  )
  const problems = await problemsOf(files(t).read(text))
  t.strictSame(problems.map(({ line }) => line), [3, 4, 5, 7, 13])
})

t.test("readConfig reports a file that it cannot read", async (t) => {
  const { folder } = files(t)
  t.match(await problemsOf(readConfig(join(folder, "nowhere.yaml"), {})), [{
    message: /cannot read.*ENOENT/,
  }])
  t.match(await problemsOf(readConfig(folder, {})), [{ message: /cannot read.*EISDIR/ }])
})

t.test("readConfig never shows a secret", async (t) => {
  const { read } = files(t)
  const text = good.replace(secret, "${S}").replace("8080", "many")
  const error = await read(text, { S: "hunter2" }).then(() => undefined, (error: Error) => error)
  t.ok(error)
  t.notMatch(error?.message, /hunter2/)
})

function files(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const read = (text: string, environment: Record<string, string> = {}): Promise<Config> => {
    const file = join(folder, "config.yaml")
    writeFileSync(file, text)
    return readConfig(file, environment)
  }
  return { folder, read }
}

async function problemsOf(reading: Promise<Config>): Promise<readonly ConfigProblem[]> {
  const error = await reading.then(() => undefined, (error: unknown) => error)
  if (!(error instanceof ConfigError)) throw new Error("it was not rejected", { cause: error })
  return error.problems
}
