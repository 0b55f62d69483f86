import { loadAdditions } from "../../core/config/capabilities.ts"
import { numbersOf } from "../../core/kernel/numbers.ts"
import type { Catalogue } from "../../core/plugin.ts"
import { buildCatalogue, summariesOf } from "../../core/request/catalogue.ts"
import { downloads, program as example } from "../../plugins/documents/docs/examples.ts"
import { textPages } from "../../plugins/documents/docs/pages.ts"
import { readerOf } from "../../plugins/documents/docs/reader.ts"
import { renderPage } from "../../plugins/documents/docs/render.ts"
import { guideMarkdown, llmsText } from "../../plugins/documents/docs/texts.ts"
import { openApiDocument } from "../../plugins/documents/openapi/document.ts"
import { program as pull } from "../../plugins/documents/pull/program.ts"
import { testConfig } from "./app.ts"

/** What ids, names and hosts are made of here: each part leaves the quotes of some language. */
export const attacks = [
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
export const harmless = "harmless"

const plan = await testConfig("sqlite::memory:")
const offers = new Set((await loadAdditions(plan.capabilities, "docs")).map(String))

/** A URL whose host has as much of a name as URLs can have. */
export function serverOf(name: string): string {
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

/** Returns all texts that the service generates for a partner of that name, by file name. */
export async function textsWith(name: string): Promise<Map<string, string>> {
  const catalogue = catalogueOf(name)
  const reader = readerOf(catalogue, null)
  return new Map([
    ...(Object.keys(downloads) as (keyof typeof downloads)[])
      .map((file): [string, string] => [file, example(file, reader)]),
    ...textPages(catalogue, offers).map((
      page,
    ): [string, string] => [
      `${page.path.slice(1)}.html`,
      String(renderPage(page, { reader, offers, catalogue }).main),
    ]),
    ["guide.md", guideMarkdown({ reader, offers, catalogue })],
    ["llms.md", llmsText({ reader, offers, catalogue })],
    ["openapi.json", JSON.stringify(openApiDocument(catalogue))],
    [
      "pull.mts",
      await pull({
        base: catalogue.server,
        user: name,
        families: [name, `/${name}/v1`],
        cookie: name,
      }),
    ],
  ])
}
