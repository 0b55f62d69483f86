import { globSync, readFileSync } from "node:fs"
import t from "tap"
import { isBroken, linksOf } from "../support/documents.ts"

const files = globSync("{*,{core,plugins,config,test}/**/*}.md", {
  exclude: ["**/node_modules/**"],
})

t.test("links between documents lead to a file and a heading", (t) => {
  t.ok(files.length > 50)
  const links = files.flatMap((file) =>
    linksOf(readFileSync(file, "utf8")).map((link) => ({ file, link }))
  )
  t.ok(links.length > 200)
  const broken = links.filter(({ file, link }) => isBroken(file, link))
  t.strictSame(broken.map(({ file, link }) => `${file}: ${link}`), [])
  t.end()
})

t.test("a link to nothing is found", (t) => {
  for (const link of ["#no-such", "handbook/no-such.md", "README.md#no-such"]) {
    t.ok(isBroken("config/README.md", link), link)
  }
  t.notOk(isBroken("config/README.md", "handbook/install.md#install"))
  t.end()
})
