import t from "tap"
import { parse } from "yaml"
import { kitFiles } from "../../../plugins/kit/files.ts"
import { kitPage } from "../../../plugins/kit/page.ts"
import { family, kit, odd } from "../../support/odd-family.ts"

t.test("every file and the page escape what they name", (t) => {
  const texts = new Map(kitFiles.map(({ name, text }) => [name, text(family, kit)]))
  t.equal(JSON.parse(texts.get("postman.json") ?? "").variable[0].value, kit.server)
  const { streams, definitions } = parse(texts.get("airbyte.yaml") ?? "")
  t.equal(definitions.requester.url_base, kit.server)
  t.ok(odd in streams[0].schema_loader.schema.properties)
  for (const [name, text] of texts) {
    if (!name.endsWith(".sql")) continue
    const loose = text.replace(/'(''|[^'])*'/g, "").split("\n").filter((line) =>
      !line.startsWith("--") && line.includes("<b>")
    )
    t.strictSame(loose, [], `${name} has the URL in comments and literals only`)
  }
  t.match(texts.get("dlt.py"), `"base_url": ${JSON.stringify(kit.server)}`)
  t.match(texts.get("power-query.m"), `Web.Contents("https://x.example/""'<b>`)
  t.notMatch(kitPage(kit), /<"o'hara">/)
  t.end()
})
