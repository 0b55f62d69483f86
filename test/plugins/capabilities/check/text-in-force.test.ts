import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t from "tap"
import {
  readFileText,
  withoutSecrets,
} from "../../../../plugins/capabilities/check/text-in-force.ts"
import { freshApp, testConfig } from "../../../support/app.ts"

const secret = "kJ8/xS2bq0Zr5nVw9cTyHf3mLd7PeAgU"

t.test("withoutSecrets hides what is secret, however it is written", (t) => {
  const hides = (text: string, known?: readonly string[]) => {
    const shown = withoutSecrets(text, known)
    t.notMatch(shown, secret, text)
    t.match(shown, "${HIDDEN}", text)
  }
  hides(`session:\n  secrets: [${secret}]\n`)
  hides(`session:\n  secrets:\n    - "${secret}" # the new one\n    - \${OLD}\n`)
  hides(`session: { secrets: ["\${S:-${secret}}"] }`)
  hides(`session:\n  secrets:\n    - |\n      ${secret}\nlog: info\n`)
  hides(`x: &s ${secret}\nsession: { secrets: [*s] }`)
  hides(`x: &s { secrets: [${secret}] }\nsession: *s`)
  hides(`database:\n  url: mysql://user:${secret}@host/name`)
  hides(`database:\n  url: mysql://user:${secret}@\${HOST}/name`)
  hides(
    `plugins:\n  - use: a\n    with: { apiKey: ${secret}, list: [{ webhook_secret: ${secret} }] }`,
  )
  hides(
    `plugins:\n  - use: a\n    with: { keys: [${secret}], headers: { authorization: ${secret} } }`,
  )
  const slashless = secret.replace("/", "%2F")
  for (
    const place of [
      `# url: mysql://user:${slashless}@host/name`,
      `database:\n  url: { file: "mysql://user:${slashless}@host/name" }`,
      `plugins:\n  - use: a\n    with: { url: 'https://user:${slashless}@host/' }`,
    ]
  ) {
    t.notMatch(withoutSecrets(place), slashless, place)
  }
  hides(`# formerly ${secret}\nlog: info`, [secret])
  t.end()
})

t.test("withoutSecrets leaves all else as it is", (t) => {
  const text = readFileSync("config/event-export.yaml", "utf8")
  t.equal(withoutSecrets(text), text.replace(/(?<=url: ).*mysql.*/g, "${HIDDEN}"))
  const references =
    "session:\n  secrets:\n    - ${SECRET}\n    - file: secrets\ndatabase: { url: '${URL}' }\n"
  t.equal(withoutSecrets(references), references)
  t.end()
})

t.test("withoutSecrets shows nothing of a text in which nobody knows what is secret", (t) => {
  t.equal(withoutSecrets(`session: { secrets: [${secret}`), undefined)
  t.equal(withoutSecrets(`session: &a { secrets: *a }\n`), undefined)
  t.end()
})

t.test("readFileText says whether the file is the one in force", async (t) => {
  const plan = await testConfig("sqlite:unused.db")
  t.match(await readFileText(plan), { isInForce: true })
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "config.yaml")
  t.equal(await readFileText({ ...plan, file }), undefined)
  writeFileSync(file, `log: info\nsession: { secrets: [${secret}] }\n`)
  t.strictSame(await readFileText({ ...plan, file }), {
    text: "log: info\nsession: { secrets: [${HIDDEN}] }\n",
    isInForce: false,
    hidesSomething: true,
  })
  const database = { ...plan.database, url: `mysql://u:${encodeURIComponent(secret)}@h/d` }
  writeFileSync(file, `# of the database: ${secret}\nlog: info\n`)
  t.match(await readFileText({ ...plan, file, database }), {
    text: "# of the database: ${HIDDEN}\nlog: info\n",
  })
  writeFileSync(file, "#".repeat(64 * 1024 + 1))
  t.equal(await readFileText({ ...plan, file }), undefined, "it is long")
})

t.test("the form for a draft begins with the file, and its check shows what differs, and finds nothing else", async (t) => {
  const { build, logIn } = await freshApp(t, "sqlite")
  await build.account("chief", "operator")
  const browse = await logIn("chief")
  const text = await (await browse("/console/configuration")).text()
  const [, filled = ""] = /<textarea id="draft"[^>]*>([^]*?)<\/textarea>/.exec(text) ?? []
  const [, token = ""] = /name="token" value="([\w-]+)"/.exec(text) ?? []
  const draft = filled.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&")
  const check = async (changed: string) => {
    const body = new FormData()
    body.set("token", token)
    body.set("draft", changed)
    const headers = { "sec-fetch-site": "same-origin", accept: "text/html" }
    return await (await browse("/console/configuration", { method: "POST", headers, body })).text()
  }
  const same = await check(draft)
  t.match(same, /A reload would change nothing\./)
  t.match(same, "There is none.")
  const other = await check(draft.replace("segment: connector-a\n", "segment: connector-z\n"))
  t.match(other, /<span class="removed">- +segment: connector-a<\/span>/)
  t.match(other, /<span class="added">\+ +segment: connector-z<\/span>/)
  t.match(other, "segment: connector-z\n")
})
