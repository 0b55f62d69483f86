// Loaded first in each process of `make pack-test`. Imports of the sources lead to the package in PACKED, which is
// under a node_modules folder: there, Node.js runs no TypeScript. Files that tests only read are those of the clone.
import { registerHooks } from "node:module"
import { resolve } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"

const repository = pathToFileURL(resolve(import.meta.dirname, "../..")).href
const packed = pathToFileURL(process.env["PACKED"] ?? "").href
const rooms = ["/core/", "/plugins/", "/config/demo/"]

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const path = found.url.startsWith(repository) ? found.url.slice(repository.length) : ""
    if (!rooms.some((room) => path.startsWith(room))) return found
    return {
      ...found,
      url: `${packed}/dist${path.replace(/\.ts(?=$|\?)/, ".js")}`,
      format: "module",
    }
  },
})
