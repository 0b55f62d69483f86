import process from "node:process"
import { setImmediate } from "node:timers/promises"
import { inspect } from "node:util"
import fc from "fast-check"
import t from "tap"
import { readConfig } from "../../core/config/read.ts"
import { describeLocation, openDatabase } from "../../core/data/open.ts"
import { configFolder, goodConfig } from "../support/config-folder.ts"

/** Letters that no message has by chance. */
const letters = "JKQVWXYZéßñ"
const signs = "/@:#?&%+=$!|>*-,.;'\"`\\{}[]()<~^ \t"
const characters = fc.constantFrom(...signs, ...letters, ...letters, ..."0123456789")
const passwords = fc.string({ unit: characters, minLength: 8, maxLength: 24 })
  .map((text) => `${text}KQ7`)
  .filter((text) => text === text.trim())

/** The ways to write a URL into a configuration. */
const spellings: readonly ((url: string) => string)[] = [
  (url) => `database:\n  url: ${url}`,
  (url) => `database:\n  url: '${url}'`,
  (url) => `database:\n  url: "${url}"`,
  (url) => `database:\n  url: ${JSON.stringify(url)}`,
  (url) => `database:\n  uri: ${url}`,
  (url) => `database:\n    url:\n      ${url}`,
  (url) => `database:\n  url: >-\n    ${url}`,
  (url) => `database:\n  url: |\n    ${url.slice(0, 22)}\n    ${url.slice(22)}`,
  (url) => `database:\n  url: "${url.slice(0, 22)}\\\n    ${url.slice(22)}"`,
  (url) => `database: { url: ${url}, connections: 3 }`,
  (url) => `database:\n  { connections: 3,\n    url: ${url} }`,
  (url) => `database: ${url}`,
  (url) => `database: [${url}]`,
  (url) => `database: { ${url} }`,
  (url) => `database:\n  ? ${url}\n  : x`,
  (url) => `database:\n  url: { file: ${url} }`,
  (url) => `database:\n  url: { fille: ${url} }`,
  (url) => `database:\n  url: \${DATABASE_URL:-${url}}`,
  (url) => `database:\n  url: \${DATABASE-URL:-${url}}`,
  (url) => `database:\n  url: \${${url}}`,
  () => "database:\n  url: ${DATABASE_URL}",
  () => "database: ${DATABASE_URL}",
  () => "database:\n  connections: ${DATABASE_URL}",
  () => "watch: ${DATABASE_URL}\ncache: { megabytes: ${DATABASE_URL} }",
  (url) => `database:\n  # url: ${url}\n  url: 5`,
  (url) => `database:\n  url: x # ${url}`,
  (url) => `database:\n  url: &${url} x`,
  (url) => `database:\n  url: *${url}`,
  (url) => `database:\n  url: !${url} x`,
  (url) => `database:\n  ${url}: x`,
  (url) => `database:\n  url: ${url}\n  ${url}: x`,
  (url) => `database:\n  connections: ${url}\n  url: sqlite:x`,
  (url) => `x: &url ${url}\ndatabase:\n  url: *url`,
  (url) => `databse:\n  url: ${url}`,
  (url) => `database:\nurl: ${url}`,
  (url) => `database:\n  url: sqlite:${url}`,
  (url) => `database:\n  url: x${url}`,
  (url) => `database:\n  url: mysql://exporter@db/name\n  password: ${url}`,
]

/** Edits of a text, as slips of the hand. */
const slips = fc.array(
  fc.record({
    kind: fc.constantFrom("delete", "insert", "delete line", "repeat line", "indent", "outdent"),
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    text: fc.constantFrom(..."\n :-#'\"{}[],&*!|>@%\t\\"),
  }),
  { maxLength: 3 },
)

function slip(
  text: string,
  { kind, at, text: inserted }: { kind: string; at: number; text: string },
): string {
  const offset = Math.floor(at * text.length)
  if (kind === "delete") return text.slice(0, offset) + text.slice(offset + 1)
  if (kind === "insert") return text.slice(0, offset) + inserted + text.slice(offset)
  const lines = text.split("\n")
  const index = Math.floor(at * lines.length)
  const line = lines[index] ?? ""
  const changed = {
    "delete line": [],
    "repeat line": [line, line],
    indent: [`  ${line}`],
    outdent: [line.replace(/^ {1,2}/, "")],
  }[kind] ?? [line]
  return lines.toSpliced(index, 1, ...changed).join("\n")
}

/** Returns the part of a password that a text reveals: five characters, two of them letters. */
function revealed(password: string, text: string): string | undefined {
  for (let at = 0; at + 5 <= password.length; at++) {
    const part = password.slice(at, at + 5)
    if ([...part].filter((each) => letters.includes(each)).length < 2) continue
    // As it is, and as messages quote it.
    if (text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1))) return part
  }
  return undefined
}

t.test("no error of a configuration reveals any part of the database's password", async (t) => {
  const { write } = configFolder(t)
  const warnings: string[] = []
  const keep = ({ message }: Error) => void warnings.push(message)
  process.on("warning", keep)
  t.teardown(() => process.off("warning", keep))
  let refused = 0
  const spelling = fc.constantFrom(...spellings)
  const check = fc.asyncProperty(passwords, spelling, slips, async (password, spell, slips) => {
    const url = `mysql://exporter:${password}@db.example.org:3306/name`
    const good = goodConfig.replace(/database:\n.*\n/, () => `${spell(url)}\n`)
    const file = write(slips.reduce(slip, good))
    try {
      const { database } = await readConfig(file, { DATABASE_URL: url })
      const part = revealed(password, await describeLocation(database.url))
      if (part !== undefined) throw new Error(`the location has ${part}`)
    } catch (error) {
      refused++
      const text = `${inspect(error)}\n${(error as Error).message}\n${JSON.stringify(error)}`
      const part = revealed(password, text)
      if (part !== undefined) throw new Error(`${part} of ${password} is in\n${text}`)
    }
  })
  const numRuns = 300
  await fc.assert(check, { numRuns })
  t.ok(refused > numRuns / 3, `${refused}`)
  // Warnings are emitted later.
  await setImmediate()
  t.strictSame(warnings.filter((text) => /exporter/.test(text)), [])
})

t.test("no error of opening a database reveals any part of its password", async () => {
  const url = fc.record({
    password: passwords,
    scheme: fc.constantFrom("mysql://", "mysql:", "mysql:/", "sqlite:mysql://", "mariadb://", "x"),
    host: fc.constantFrom("127.0.0.1:9", "", "a b", "[::1", "127.0.0.1:99999"),
    name: fc.constantFrom("/db", "", "/db?ssl=x", "/db?ssl=verify&ca=", "/db#x", "/%"),
  })
  await fc.assert(
    fc.asyncProperty(url, async ({ password, scheme, host, name }) => {
      const url = `${scheme}exporter:${password}@${host}${name}`
      for (const use of [describeLocation, (url: string) => openOnce(url)]) {
        try {
          await use(url)
        } catch (error) {
          const text = `${inspect(error)}\n${(error as Error).message}`
          const part = revealed(password, text)
          if (part !== undefined) throw new Error(`${part} of ${password} is in\n${text}`)
        }
      }
    }),
    { numRuns: 60 },
  )
})

/** Opens a database, an embedded one in a folder that cannot be created. */
async function openOnce(url: string): Promise<void> {
  const target = url.replace(/^sqlite:/, "sqlite:/dev/null/")
  const database = await openDatabase(target, { connections: 1, timeLimit: 1 })
  await database.close()
}
