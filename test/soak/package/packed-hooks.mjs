// Loaded first in each process of `make pack-test`. Imports of the sources lead to the package in PACKED, which is
// under a node_modules folder: there, Node.js runs no TypeScript. Files that tests only read are those of the clone.
// Plain JavaScript: tests also start an old Node.js.
import * as module from "node:module"
import process from "node:process"
import { pathToFileURL } from "node:url"

const repository = new URL("../..", import.meta.url).href.replace(/\/$/, "")
const packed = pathToFileURL(process.env["PACKED"] ?? "").href
const rooms = ["/core/", "/plugins/", "/config/demo/"]

module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const path = found.url.startsWith(repository) ? found.url.slice(repository.length) : ""
    if (!rooms.some((room) => path.startsWith(room))) return found
    const url = `${packed}/dist${path.replace(/\.ts(?=$|\?)/, ".js")}`
    return { ...found, url, format: "module" }
  },
})
