import { spawnSync, type SpawnSyncReturns } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import t, { type Test } from "tap"
import { parse } from "yaml"
import { buildCatalogue, summariesOf } from "../../../core/request/catalogue.ts"
import { numbersOf } from "../../../core/kernel/numbers.ts"
import { printable } from "../../../core/kernel/printable.ts"
import type { Catalogue } from "../../../core/plugin.ts"
import { program as example } from "../../../plugins/documents/docs/examples.ts"
import { version } from "../../../core/kernel/version.ts"
import { loadAdditions } from "../../../core/config/capabilities.ts"
import { textPages } from "../../../plugins/documents/docs/pages.ts"
import { readerOf } from "../../../plugins/documents/docs/reader.ts"
import { renderPage } from "../../../plugins/documents/docs/render.ts"
import { guideMarkdown, llmsText } from "../../../plugins/documents/docs/texts.ts"
import { kitFiles } from "../../../plugins/documents/kit/files.ts"
import { kitOf } from "../../../plugins/documents/kit/model.ts"
import { kitPage } from "../../../plugins/documents/kit/page.ts"
import { html } from "../../../plugins/design/design.ts"
import { openApiDocument } from "../../../plugins/documents/openapi/document.ts"
import { program as pull } from "../../../plugins/documents/pull/program.ts"
import { freshApp, testConfig } from "../../support/app.ts"
import { blocksOf } from "../../support/documents.ts"

t.setTimeout(20 * 60_000)

/** What ids, names and hosts are made of here: each part leaves the quotes of some language. */
const attacks = [
  "$(touch owned)",
  "`touch owned`",
  "';touch owned;'",
  '";touch owned;"',
  "\ntouch owned\n",
  "\nJSON\ntouch owned\n",
  "};touch owned;{",
  '");open("owned", "w");("',
  "');open('owned', 'w');('",
  "${globalThis.owned}",
  '"><h1 id="owned">owned</h1><script>owned</script>',
  "' onload='owned",
  "--><h1>owned</h1>",
  "</code></pre><h1>owned</h1>",
  "\n```\n<h1>owned</h1>\n",
  "'; drop table owned; --",
  "\n; drop table owned; --\n",
  "owned: true\n- owned",
  '" & Expression.Evaluate("owned") & "',
  "#(lf)#(cr)owned",
  "\\",
  "\\'touch owned\\\"",
  "%s%n{{ owned }}",
  "\u2028owned\u2029",
]
/** One of each that is harmless: a text with it has the shape that others must have. */
const harmless = "harmless"

const plan = await testConfig("sqlite::memory:")
const offers = new Set((await loadAdditions(plan.capabilities, "docs")).map(String))

/** A URL whose host has as much of a name as URLs can have. */
function serverOf(name: string): string {
  return `https://x${name.replaceAll(/[\s\p{Cc}<>^|%#/?@[\]\\:]/gu, "")}y.example`
}

/** The catalogue of a service partner with these names. It does not check them, as a later one might not. */
function catalogueOf(name: string): Catalogue {
  const catalogue = buildCatalogue(plan.routes, {
    server: serverOf(name),
    contact: undefined,
    cookie: "event_export_session",
    summaries: summariesOf(plan),
    reader: { username: name, role: "partner" },
    numbers: numbersOf(plan),
  })
  return {
    ...catalogue,
    eventsOf: () => [{ id: name, name }, { id: `${name}2`, name: `${name}2` }],
  }
}

/** All texts with a name, by file name. */
function textsWith(name: string): Map<string, string> {
  const catalogue = catalogueOf(name)
  const reader = readerOf(catalogue, null)
  const kit = kitOf(catalogue)
  const files = kit.families.flatMap((family, at) =>
    kitFiles.map((file): [string, string] => [`${at}-${file.name}`, file.text(family, kit)])
  )
  return new Map([
    ...["feed.sh", "feed.py"].map((file): [string, string] => [file, example(file, reader)]),
    ...textPages(catalogue, offers).map((
      page,
    ): [string, string] => [
      `${page.path.slice(1)}.html`,
      String(renderPage(page, { reader, offers, catalogue }).main),
    ]),
    ["guide.md", guideMarkdown({ reader, offers, catalogue })],
    ["llms.md", llmsText({ reader, offers, catalogue })],
    ["kit.html", String(html`${kitPage(kit).main}`)],
    ["openapi.json", JSON.stringify(openApiDocument(catalogue))],
    ["pull.mts", pull({ base: catalogue.server, user: name, families: [name, `/${name}/v1`] })],
    ...files,
  ])
}

const texts = new Map([harmless, ...attacks].map((name) => [name, textsWith(name)]))

/** The texts with an attack. */
function textsOf(attack: string): ReadonlyMap<string, string> {
  return texts.get(attack) ?? new Map()
}

/** Returns the parts of a text that are not what somebody may choose: the tags of HTML, code without its literals. */
const shapes: Readonly<Record<string, (text: string) => unknown>> = {
  html: (text) =>
    [...text.matchAll(/<(?:!--|\/?[a-z][\w-]*)(?:"[^"]*"|'[^']*'|[^"'>])*>/gi)]
      .map(([tag]) => tag.replaceAll(/"[^"]*"/g, '""')),
  md: (text) => text.split("\n").filter((line) => /^(```|#|\s*<)/.test(line)),
  sql: (text) =>
    text.replaceAll(/'(?:''|[^'])*'|--[^\n]*/g, (part) => part.startsWith("'") ? "''" : "--"),
  m: (text) => text.replaceAll(/"(?:""|[^"])*"/g, '""'),
  py: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  mts: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  gs: (text) => text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  sh: (text) => text.replaceAll(/'[^']*'/g, "''"),
  json: (text) => shapeOf(JSON.parse(text)),
  yaml: (text) => shapeOf(parse(text)),
}

/** Returns a value without its texts. */
function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return ""
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== "object" || value === null) return value
  return Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)])
}

/** Returns an attack as the name of a test. */
function nameOf(attack: string): string {
  return printable(JSON.stringify(attack))
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1)
}

t.test("no name changes the shape of a text that the service generates", (t) => {
  const shapesOf = (name: string) =>
    [...textsOf(name)].map(([file, text]) => {
      const shape = shapes[extensionOf(file)]
      if (!shape) throw new TypeError(`${file} has a language that is not known here`)
      return [file, JSON.stringify(shape(text))]
    })
  const usual = new Map(shapesOf(harmless) as [string, string][])
  for (const attack of attacks) {
    const wrong = shapesOf(attack).filter(([file = "", shape]) => shape !== usual.get(file))
    t.strictSame(wrong, [], nameOf(attack))
  }
  t.end()
})

t.test("texts that quote a name have it as it is", (t) => {
  for (const attack of attacks) {
    const texts = textsOf(attack)
    const server = serverOf(attack)
    const collection = JSON.parse(texts.get("0-postman.json") ?? "")
    t.strictSame(collection.variable.slice(0, 2).map(({ value }: { value: string }) => value), [
      server,
      attack,
    ])
    t.equal(parse(texts.get("0-airbyte.yaml") ?? "").definitions.requester.url_base, server)
    const [line = ""] = /^const defaults = [^\n]*/m.exec(texts.get("pull.mts") ?? "") ?? []
    t.strictSame(Function(`${line}; return defaults`)(), {
      base: server,
      user: attack,
      families: [attack, `/${attack}/v1`],
      version,
    })
  }
  t.end()
})

t.test("TypeScript and JavaScript with any name can be read", (t) => {
  for (const attack of attacks) {
    for (const [file, text] of textsOf(attack)) {
      if (!file.endsWith(".mts")) continue
      t.doesNotThrow(() => stripTypeScriptTypes(text), `${file} with ${nameOf(attack)}`)
    }
  }
  t.end()
})

/** Runs a text by a shell whose other programs do nothing. Returns true if it made the file. */
function isOwned(t: Test, text: string): { owned: boolean; run: SpawnSyncReturns<string> } {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const programs = join(folder, "programs")
  mkdirSync(programs)
  for (const name of ["curl", "node", "npx", "python3", "event-export"]) {
    writeFileSync(join(programs, name), "#!/bin/sh\nexit 7\n")
    chmodSync(join(programs, name), 0o755)
  }
  const place = join(folder, "place")
  mkdirSync(place)
  const run = spawnSync("sh", ["-s"], {
    cwd: place,
    input: text,
    encoding: "utf8",
    env: {
      PATH: `${programs}${delimiter}/usr/bin${delimiter}/bin`,
      EXPORT_PASSWORD: "x",
      EXPORT_TOKEN: "x",
      TOKEN: "x",
    },
    timeout: 20_000,
  })
  return { owned: existsSync(join(place, "owned")), run }
}

t.test("shell programs and lines to paste run nothing that is in a name", (t) => {
  t.ok(isOwned(t, "EVENT=${1:-$(touch owned)}").owned, "it would be noticed")
  const texts = attacks.map(textsOf)
  const lines = texts.map((texts) => blocksOf(texts.get("guide.md") ?? "", "sh").join("\n"))
  const programs = texts.map((texts) => texts.get("feed.sh") ?? "")
  for (const text of new Set([...lines, ...programs])) {
    const { owned, run } = isOwned(t, text)
    t.notOk(owned, text.slice(0, 500))
    t.notMatch(run.stderr, /syntax error|unterminated/i)
  }
  t.end()
})

t.test("Python programs with any name can be read, and call nothing that is in it", {
  skip: spawnSync("python3", ["--version"]).status !== 0 && "there is no python3",
}, (t) => {
  const check = `
import ast, json, sys
for text in json.load(sys.stdin):
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    print(any("owned" in ast.dump(call.func) or any(isinstance(each, ast.Constant) and each.value == "owned" for each in call.args) for call in calls))
`
  const programs = attacks.flatMap((attack) =>
    [...textsOf(attack)].filter(([file]) => file.endsWith(".py")).map(([, text]) => text)
  )
  const noticed = 'x = ("");open("owned", "w");("")'
  const { stdout, stderr } = spawnSync("python3", ["-c", check], {
    input: JSON.stringify([noticed, ...programs]),
    encoding: "utf8",
  })
  t.strictSame(stdout.trim().split("\n"), ["True", ...programs.map(() => "False")], stderr)
  t.end()
})

t.test("pages of the console, the kit and the documents show names as text", async (t) => {
  const { build, logIn } = await freshApp(t, "sqlite")
  const name = attacks.slice(10, 14).join(" ")
  const organization = await build.organization("acme")
  const event = await build.event(organization, { name, currency: "<x>" })
  const guest = await build.guest(event)
  await build.account("acme-export", "service")
  await build.grant("acme-export", { event })
  await build.account("op", "operator")
  const [get, asOperator] = [await logIn("acme-export"), await logIn("op")]
  await get(`/acme/v1/events/${event}/guests?since=-1`)
  const pages = [
    ["/docs", get],
    ["/docs/kit", get],
    ...[
      "/console",
      "/console/events",
      `/console/events/${event}`,
      "/console/partners/acme-export",
      "/console/accounts",
      "/console/accounts/acme-export",
      "/console/audit",
      "/console/configuration",
      `/console/disclosures?guest=${guest}`,
    ].map((path) => [path, asOperator] as const),
  ] as const
  let shown = 0
  for (const [path, read] of pages) {
    const text = await (await read(path)).text()
    // Not in a false tag, and not in a tag outside of the values of its attributes.
    t.notMatch(text, /<h1[^>]*>owned|<script>owned|<x>/, path)
    t.notMatch(text.replaceAll(/"[^"]*"/g, '""'), /<[^>]*\sonload=/, path)
    if (text.includes("owned&lt;/h1&gt;")) shown++
  }
  t.ok(shown >= 4, `the name is on ${shown} pages`)
})
