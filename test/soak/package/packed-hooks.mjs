// Loaded first in each process of `make pack-test`. Imports of the sources lead to the package in PACKED, which is
// under a node_modules folder: there, Node.js runs no TypeScript. Files that tests only read are those of the clone.
// Plain JavaScript: tests also start an old Node.js.
import * as module from "node:module"
import process from "node:process"
import { pathToFileURL } from "node:url"

const repository = new URL("../../..", import.meta.url).href.replace(/\/$/, "")
const packed = pathToFileURL(process.env["PACKED"] ?? "").href
const rooms = ["/core/", "/plugins/", "/config/demo/"]
// The package has the client as one file, without what makes that file.
const client = "/plugins/documents/pull/pull."
const leftOut = /^\/plugins\/documents\/pull\/(client\/|bundle\.|strip-types\.)/

module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const path = found.url.startsWith(repository) ? found.url.slice(repository.length) : ""
    if (leftOut.test(path) || !rooms.some((room) => path.startsWith(room))) return found
    const ending = path.startsWith(client) ? ".mjs" : ".js"
    const url = `${packed}/dist${path.replace(/\.ts(?=$|\?)/, ending)}`
    return { ...found, url, format: "module" }
  },
})
