// slow: takes many seconds to read the document with the tools of others
import process from "node:process"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectralCore from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import t from "tap"
import { runProgram } from "../../core/cli/program.ts"
import type { Json } from "../../plugins/openapi/schemas.ts"
import { secret } from "../support/app.ts"
import { openStage } from "./stage.ts"

/** What a linter says of a place in a document. */
interface Finding {
  readonly rule: string
  readonly place: readonly string[]
  readonly message: string
}

/** Every rule of the linters is on. What they find all the same, and why it stays. */
const explained: Readonly<Record<string, string>> = {
  "spectral info-contact": "whom partners ask is between them and the operator",
  "spectral license-url": "OpenAPI 3.1 has `identifier` for it, and allows only one of the two",
}
const ofAnnounced: Readonly<Record<string, string>> = {
  "spectral operation-success-response": "an announced route has no answer but errors yet",
  "redocly operation-2xx-response": "an announced route has no answer but errors yet",
}

t.test("two linters find nothing in the document of the default configuration", async (t) => {
  const document = await printed()
  const found = await lint(document)
  t.strictSame(found.filter((finding) => !isExplained(finding, document)), [])
  const rules = new Set(found.map(({ rule }) => rule))
  for (const rule of Object.keys({ ...explained, ...ofAnnounced })) {
    t.ok(rules.has(rule), `${rule} still needs its explanation`)
  }
})

t.test("two linters find nothing in the documents of accounts, deprecated routes included", async (t) => {
  const { cookie, usual } = await openStage(t, "sqlite")
  for (const account of ["operator", "partner", "north-export", "stranger"]) {
    const headers = { cookie: await cookie(account) }
    const document = await (await fetch(`${usual.url}/openapi.json`, { headers })).json()
    const found = await lint(document)
    t.strictSame(found.filter((finding) => !isExplained(finding, document)), [], account)
  }
})

t.test("two linters find what is wrong with a document", async (t) => {
  const document = await printed() as { paths: Record<string, Record<string, Json>> }
  const [path = ""] = Object.keys(document.paths)
  const operation = document.paths[path]?.["get"]
  const broken = {
    ...document,
    paths: { ...document.paths, "/twice": { get: { ...operation, tags: ["unknown"] } } },
  }
  const rules = new Set((await lint(broken)).map(({ rule }) => rule))
  for (const rule of ["operation-operationId-unique", "operation-tag-defined"]) {
    t.ok(rules.has(`spectral ${rule}`), rule)
  }
  t.ok(rules.has("redocly operation-operationId-unique"))
})

async function lint(document: Json): Promise<Finding[]> {
  const text = JSON.stringify(document)
  const config = await createConfig({ extends: ["recommended-strict"] })
  const redocly = await lintFromString({ source: text, config, absoluteRef: "openapi.json" })
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset({ extends: [[oas as spectralCore.RulesetDefinition, "all"]], rules: {} })
  return [
    ...redocly.map(({ ruleId, location, message }) => ({
      rule: `redocly ${ruleId}`,
      place: (location[0]?.pointer ?? "").split("/").slice(1).map((part) =>
        part.replaceAll("~1", "/").replaceAll("~0", "~")
      ),
      message,
    })),
    ...(await spectral.run(text)).map(({ code, path, message }) => ({
      rule: `spectral ${code}`,
      place: path.map(String),
      message,
    })),
  ]
}

function isExplained({ rule, place }: Finding, document: Json): boolean {
  if (rule in explained) return true
  const [, path = "", method = ""] = place
  const operation = (document["paths"] as Record<string, Record<string, Json>>)[path]?.[method]
  return rule in ofAnnounced && operation?.["x-announced"] === true
}

/** What `event-export openapi` prints. */
async function printed(): Promise<Json> {
  const lines: string[] = []
  await runProgram(["openapi"], {
    env: { SESSION_SECRET: secret },
    stdin: process.stdin,
    isInteractive: false,
    print: (line) => lines.push(line),
    warn: (line) => lines.push(line),
    shutdown: AbortSignal.abort(),
    onHangUp: () => {},
  })
  return JSON.parse(lines.join("\n"))
}
