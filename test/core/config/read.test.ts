import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t, { type Test } from "tap"
import { type Config, readConfig } from "../../../core/config/read.ts"
import {
  configFolder,
  goodConfig as good,
  goodSecret as secret,
  problemsOf,
  testProblems,
} from "../../support/config-folder.ts"

t.test("readConfig returns the settings, with defaults", async (t) => {
  const { folder, read } = files(t)
  t.match(await read(good), {
    server: { host: "127.0.0.1", port: 8080, publicUrl: undefined },
    database: { url: `sqlite:${join(folder, "test.db")}`, connections: 10, time_limit: 10 },
    session: { secrets: [secret], lifetime: 43_200, cookie: "event_export_session" },
    log: { level: "info" },
    polling: { retention: 90 * 86_400 },
  })
  t.match(
    (await read(`${good}polling: { retention: 2 }`)).polling,
    { retention: 172_800 },
    "in seconds",
  )
})

t.test("readConfig accepts addresses of both kinds, and names", async (t) => {
  const { read } = files(t)
  for (const host of ["127.0.0.1", "0.0.0.0", '"::"', '"::1"', "localhost", "export_1.internal"]) {
    t.match((await read(good.replace("127.0.0.1", host))).server.host, host.replaceAll('"', ""))
  }
})

t.test("readConfig accepts an e-mail address or an https URL as the contact, and nothing else", async (t) => {
  const { read } = files(t)
  const withContact = (contact: string) =>
    good.replace("port: 8080", `port: 8080\n  contact: ${JSON.stringify(contact)}`)
  const contacts = [
    "export+help@team.example.org",
    "https://example.org/support?topic=export&lang=en#ask",
    "https://example.org:8443",
  ]
  t.equal((await read(good)).server.contact, undefined)
  for (const contact of contacts) {
    t.equal((await read(withContact(contact))).server.contact, contact)
  }
  const wrong = [
    ...["", "Ann <ann@example.org>", "ann@example", "a@b@example.org", "mailto:ann@example.org"],
    ...["http://example.org", "https://", "https://example.org:99999", "https://x.org/a b"],
    ...['https://x.org/"><script>', "ann@example.org\nExpires: never", "https://x.org/ü"],
    ...["https://ann:secret@example.org/", "https://ann@example.org"],
  ]
  for (const contact of wrong) {
    t.match(await problemsOf(read(withContact(contact))), [{
      line: 4,
      message: /^contact must be an e-mail address or an https URL, such as export@example\.org/,
    }], contact)
  }
})

t.test("readConfig accepts a public URL with a scheme, a host and a port, and nothing else", async (t) => {
  const { read } = files(t)
  const withUrl = (url: string) =>
    good.replace("port: 8080", `port: 8080\n  public_url: ${JSON.stringify(url)}`)
  for (const url of ["https://export.example.org", "http://127.0.0.1:8080", "https://[::1]:8443"]) {
    t.equal((await read(withUrl(url))).server.publicUrl, url)
  }
  const onlyHost =
    "must have only a scheme, a host and a port, without a path or a slash at the end"
  const wrong: Record<string, string> = {
    ...Object.fromEntries(["/", "/x", "?x", "#x"].map((end) => [`https://x.org${end}`, onlyHost])),
    "https://ann:secret@x.org": "must have no user name and no password: everyone is shown it",
    "https://ann@x.org": "must have no user name and no password: everyone is shown it",
  }
  for (const [url, reason] of Object.entries(wrong)) {
    const problems = await problemsOf(read(withUrl(url)))
    t.match(problems, [{ line: 4, message: `public_url ${reason}` }], url)
  }
})

t.test("readConfig loads no plugin", async (t) => {
  const { read } = files(t)
  t.match(await read(good.replace("use: session", "use: ./nowhere.ts")), { server: { port: 8080 } })
})

t.test("readConfig inserts environment variables, and types them if the text is not quoted", async (t) => {
  const { read } = files(t)
  const text = good
    .replace("port: 8080", "port: ${PORT:-8080}")
    .replace("host: 127.0.0.1", 'host: "${HOST}"')
  t.match((await read(text, { HOST: "::1", PORT: "0" })).server, { host: "::1", port: 0 })
  t.match((await read(text, { HOST: "::1", PORT: "" })).server, { port: 8080 }, "empty is not set")
})

t.test("readConfig refuses a file of more than a mebibyte", async (t) => {
  const { read } = files(t)
  const [largest, padding] = [1024 * 1024, "#".repeat(1024 * 1024)]
  t.match(await read(`${good}${padding.slice(good.length)}`), { server: { port: 8080 } })
  t.match(await problemsOf(read(`${good}${padding.slice(good.length)}#`)), [{
    message: `cannot read the configuration: it has more than ${largest} bytes`,
  }])
})

t.test("readConfig reads secrets from a file, newest first", async (t) => {
  const { folder, read } = files(t)
  const [a, b] = [secret, `${secret}-older`]
  writeFileSync(join(folder, "secrets"), `${a}\n\n${b}\n`, { mode: 0o600 })
  const { session } = await read(good.replace(`[${secret}]`, "[{ file: secrets }]"))
  t.strictSame(session.secrets, [a, b])
})

t.test("readConfig resolves the paths in a database URL from the file that has it", async (t) => {
  const { folder, read } = files(t)
  const ca = async (query: string, text: string) => {
    const { searchParams } = new URL((await read(text.replace("QUERY", query))).database.url)
    return [searchParams.get("ssl"), searchParams.get("ca")]
  }
  const inConfig = good.replace("sqlite:test.db", '"mysql://ann:p%3Fca=x@db/name?QUERY"')
  t.strictSame(await ca("ssl=verify&ca=a b%2B.pem", inConfig), ["verify", join(folder, "a b+.pem")])
  t.strictSame(await ca("ca=../ca.pem&ssl=verify", inConfig), ["verify", join(folder, "../ca.pem")])
  t.strictSame(await ca("ssl=verify&ca=/etc/ca.pem", inConfig), ["verify", "/etc/ca.pem"])
  t.equal(decodeURIComponent(new URL((await read(inConfig)).database.url).password), "p?ca=x")

  mkdirSync(join(folder, "secret"))
  const inFile = good.replace(/url: .*/, "url: { file: secret/url }")
  const urls = [
    [
      "mysql://ann:pw@db/name?ssl=verify&ca=ca.pem",
      encodeURIComponent(join(folder, "secret/ca.pem")),
    ],
    ["sqlite:test.db", join(folder, "secret/test.db")],
  ] as const
  for (const [url, path] of urls) {
    writeFileSync(join(folder, "secret/url"), url, { mode: 0o600 })
    t.equal((await read(inFile)).database.url, url.replace(/(?<=ca=|sqlite:).*/, path))
  }
})

t.test("readConfig reads the database's URL from a file", async (t) => {
  const { folder, read } = files(t)
  writeFileSync(join(folder, "url"), "mysql://ann:pw@db/name\n", { mode: 0o600 })
  const { database } = await read(good.replace(/url: .*/, "url: { file: url }"))
  t.equal(database.url, "mysql://ann:pw@db/name")
  chmodSync(join(folder, "url"), 0o644)
  t.match(await problemsOf(read(good.replace(/url: .*/, "url: { file: url }"))), [{
    message: /cannot use the file url: every user of this machine/,
  }])
})

const sevenLetters = "abcdefgacbdegfbacdfegcabdgefacbgdfebacgd"

t.test("readConfig refuses secrets that others can read or guess, and never shows them", async (t) => {
  const { folder, read } = files(t)
  const guessable = [
    "x".repeat(40),
    "01234567890123456789012345678901",
    "please-change-me-please-change-me-now",
    "complex_password_at_least_32_characters_long",
    "your-secret-key-goes-here-0123456789",
    sevenLetters,
  ]
  const { session } = await read(good.replace(secret, sevenLetters.replace("a", "h")))
  t.equal(session.secrets.length, 1, "eight are enough")
  for (const weak of guessable) {
    const [problem] = await problemsOf(read(good.replace(`[${secret}]`, `["${weak}"]`)))
    t.match(problem, {
      line: 7,
      column: 13,
      message: /^entry 1 must not be easy to guess/,
    })
    t.notMatch(JSON.stringify(problem), weak)
    writeFileSync(join(folder, "secrets"), `${secret}\n${weak}\n`, { mode: 0o600 })
    const [inFile] = await problemsOf(read(good.replace(`[${secret}]`, "[{ file: secrets }]")))
    t.match(inFile, { message: /secret 2 in the file must not be easy to guess/ })
    t.notMatch(JSON.stringify(inFile), weak)
  }
  const path = join(folder, "open")
  writeFileSync(path, secret)
  const open = good.replace(`[${secret}]`, "[{ file: open }]")
  for (const mode of [0o644, 0o604, 0o602, 0o601]) {
    chmodSync(path, mode)
    const message = /every user of this machine may use the file/
    t.match(await problemsOf(read(open)), [{ message }], mode.toString(8))
  }
  chmodSync(path, 0o660)
  t.match((await read(open)).session.secrets, [secret], "a group may use it")
})

/** Changes to the good file, each with the problems that follow: line:column message. */
const broken: Record<string, [change: (text: string) => string, problems: string[]]> = {
  "an unknown setting": [
    (text) => text.replace("host:", "hots:"),
    ["2:3 unknown setting hots: did you mean host?", "1:1 the setting host is missing"],
  ],
  "a wrong type": [(text) => text.replace("port: 8080", "port: many"), [
    "3:9 port must be a whole number from 0 to 65535",
  ]],
  "a number outside its range": [(text) => text.replace("8080", "80800"), [
    "3:9 port must be a whole number from 0 to 65535",
  ]],
  "an address that cannot exist": [(text) => text.replace("127.0.0.1", "127.999.1.1"), [
    "2:9 host must be an IP address or a name, such as 127.0.0.1",
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
      "5:3 unknown setting: did you mean url?",
      "13:22 the environment variable NO_SUCH_LIST is not set",
    ],
  ],
  "an invalid reference": [(text) => text.replace("8080", "${no-such}"), [
    "3:9 this reference is malformed",
  ]],
  "a reference without an end": [(text) => text.replace("8080", "${PORT:-8080"), [
    "3:9 this reference has no end: write ${NAME} or ${NAME:-default}",
  ]],
  "a quote without an end": [(text) => text.replace("127.0.0.1", '"127.0.0.1'), [
    "2:9 This text in quotes has no end",
  ]],
  "a name without a colon": [(text) => text.replace("port: 8080", "port 8080"), [
    "3:3 A name needs a colon after it, and a space",
  ]],
  "a second colon": [(text) => text.replace("port: 8080", "port: 80: 80"), [
    "3:9 A value has a second colon",
  ]],
  "a non-breaking space": [
    (text) => text.replace("port: 8080", "port:\u00a08080\n  drain: 1"),
    ["3:3 Implicit keys need to be on a single line", "3:8 this is not an ordinary space"],
  ],
  "a second document": [(text) => `${text}---\nlog: {}\n`, [
    "14:1 A line of --- begins a second document here",
  ]],
  "a database file that is not there": [
    (text) => text.replace("sqlite:test.db", "{ file: ./nowhere }"),
    ["5:16 cannot use the file ./nowhere: it does not exist"],
  ],
  "a URL in place of the path of a file": [
    (text) => text.replace("sqlite:test.db", '{ file: "mysql://ann:hunter2@db/name" }'),
    ["5:16 cannot use the file: it does not exist"],
  ],
  "a short secret": [(text) => text.replace(secret, "short"), [
    "7:13 entry 1 must be at least 32 characters",
  ]],
  "a missing secret file": [
    (text) => text.replace(`[${secret}]`, "[{ file: nowhere }]"),
    ["7:21 cannot use the secrets: ENOENT"],
  ],
  "YAML that does not parse": [(text) => `${text}  - {`, ["14:"]],
  "a duplicate key": [(text) => text.replace("  port: 8080", "  host: other\n  port: 8080"), [
    "3:3 this name is there twice: keep one",
  ]],
  "a duplicate key by an alias": [
    (text) => text.replace("host:", "&name host:").replace("port: 8080", "port: 8080\n  *name : a"),
    ["2:9 this name is there twice: keep one"],
  ],
  "a variable that only JavaScript has": [
    (text) => text.replace("8080", "${__proto__}").replace("[acme]", '["${constructor}"]'),
    [
      "3:9 the environment variable __proto__ is not set",
      "13:23 the environment variable constructor is not set",
    ],
  ],
  "names that every object has": [
    (text) =>
      `${text}accounts: { __proto__: { burst: 1 }, constructor: {}, *p : {} }\n`
        .replace("use: session", "use: &p prototype"),
    [
      "9:13 prototype cannot be a name in a configuration: choose another",
      "14:13 __proto__ cannot be a name in a configuration: choose another",
      "14:38 constructor cannot be a name in a configuration: choose another",
    ],
  ],
  "an alias without its anchor": [(text) => text.replace("8080", "*port"), [
    "3:9 * refers to an anchor, but no such & is above",
  ]],
  "a wrong indentation": [(text) => text.replace("  port:", " port:"), [
    "3:1 This line begins further left or right than others of its group",
  ]],
  "what is no URL, once": [(text) => text.replace("  port:", "  public_url: a.b\n  port:"), [
    "3:15 public_url must be a URL such as https://export.example.org",
  ]],
  "an empty file": [() => "", ["1:1 the value must be a group of settings"]],
}

for (const [name, [change, expected]] of Object.entries(broken)) {
  t.test(`readConfig refuses ${name}, and names the place`, async (t) => {
    await testProblems(t, files(t).read(change(good)), expected)
  })
}

t.test("readConfig names all problems at once, in the order of the file", async (t) => {
  const text = good.replace("8080", "many").replace(secret, "short").replace("url", "uri")
  const problems = await problemsOf(files(t).read(text))
  t.strictSame(problems.map(({ line }) => line), [3, 4, 5, 7])
  const inOneLine = `server: { prot: 1, port: many, hots: 2, host: 127.999.1.1 }\n`
  const columns =
    (await problemsOf(files(t).read(inOneLine + good.replace(/^server:\n( .*\n)+/m, ""))))
      .filter(({ line }) => line === 1).map(({ column }) => column)
  t.strictSame(columns, columns.toSorted((a, b) => a - b))
  t.ok(columns.length >= 4, `${columns}`)
})

t.test("readConfig reports a file that it cannot read", async (t) => {
  const { folder } = files(t)
  t.match(await problemsOf(readConfig(join(folder, "nowhere.yaml"), {})), [{
    message: /cannot read.*ENOENT/,
  }])
  t.match(await problemsOf(readConfig(folder, {})), [{
    message: /cannot read.*it is a folder: name a file in it/,
  }])
})

t.test("readConfig reports a file in another encoding, instead of changed names", async (t) => {
  const { folder } = files(t)
  const path = join(folder, "latin1.yaml")
  writeFileSync(path, `${good}accounts: { caf\u00e9: { burst: 1 } }\n`, "latin1")
  t.match(await problemsOf(readConfig(path, {})), [{ message: /cannot read.*it is not UTF-8/ }])
})

t.test("readConfig never shows a secret", async (t) => {
  const { read } = files(t)
  const text = good.replace(secret, "${S}").replace("8080", "many")
  const problems = await problemsOf(read(text, { S: "hunter2" }))
  t.not(problems.length, 0)
  t.notMatch(JSON.stringify(problems), /hunter2/)
})

function files(t: Test) {
  const { folder, write } = configFolder(t)
  const read = (text: string, environment: Record<string, string> = {}): Promise<Config> =>
    readConfig(write(text), environment)
  return { folder, read }
}
