import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectralCore from "@stoplight/spectral-core"
import { oas } from "@stoplight/spectral-rulesets"
import t from "tap"
import type { Json } from "../../../plugins/documents/openapi/schemas.ts"
import { secret } from "../../support/app.ts"
import { runCommand } from "../../support/run-command.ts"
import { openStage } from "./stage.ts"

/** A finding of a linter about a place in a document. */
interface Finding {
  readonly rule: string
  readonly place: readonly string[]
  readonly message: string
}

/** The remaining findings of each rule, and the reason to accept them. All rules are on. */
const exceptions: Readonly<Record<string, string>> = {
  "spectral contact-properties": "a contact is an e-mail address or a URL, and never both",
  "spectral openapi-tags-alphabetical": "log-in comes first, then the reader's own families",
  "spectral license-url": "OpenAPI 3.1 has `identifier` for it, and allows only one of the two",
}
const exceptionsOfAnnounced: Readonly<Record<string, string>> = {
  "spectral operation-success-response": "an announced route returns only errors yet",
  "redocly operation-2xx-response": "an announced route returns only errors yet",
}

t.test("two linters find nothing in the document of the default configuration", async (t) => {
  const document = await printDocument()
  const found = await lint(document)
  t.strictSame(found.filter((finding) => !isException(finding, document)), [])
  const rules = new Set(found.map(({ rule }) => rule))
  for (const rule of Object.keys({ ...exceptions, ...exceptionsOfAnnounced })) {
    t.ok(rules.has(rule), `${rule} still needs its exception`)
  }
})

t.test("two linters find nothing in the documents of accounts", async (t) => {
  const { cookie, usual } = await openStage(t)
  for (const account of ["operator", "partner", "north-export", "stranger"]) {
    const headers = { cookie: await cookie(account) }
    const document = await (await fetch(`${usual.url}/openapi.json`, { headers })).json()
    const found = await lint(document)
    t.strictSame(found.filter((finding) => !isException(finding, document)), [], account)
  }
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

function isException({ rule, place }: Finding, document: Json): boolean {
  if (rule in exceptions) return true
  const [, path = "", method = ""] = place
  const operation = (document["paths"] as Record<string, Record<string, Json>>)[path]?.[method]
  return rule in exceptionsOfAnnounced && operation?.["x-announced"] === true
}

/** Returns the document that `event-export openapi` prints. */
async function printDocument(): Promise<Json> {
  const { text } = await runCommand("openapi", { env: { SESSION_SECRET: secret } })
  return JSON.parse(text)
}
