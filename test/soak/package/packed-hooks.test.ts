import { existsSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import t from "tap"
import * as contract from "../../../core/plugin.ts"

const packed = process.env["PACKED"]

t.test("make pack-test runs compiled code under node_modules", {
  skip: packed ? false : "only make pack-test does",
}, async (t) => {
  const folder = packed ?? ""
  t.ok(isAbsolute(folder) && folder.includes("/node_modules/"))
  for (
    const name of ["core/plugin", "plugins/documents/docs/plugin", "config/demo/demonstration"]
  ) {
    const url = import.meta.resolve(pathToFileURL(resolve(`${name}.ts`)).href)
    t.equal(fileURLToPath(url), resolve(folder, `dist/${name}.js`))
    t.ok(existsSync(new URL(url)))
  }
  t.equal(contract, await import(pathToFileURL(resolve(folder, "dist/core/plugin.js")).href))
})
