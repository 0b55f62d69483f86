#!/usr/bin/env node
/**
 * pull keeps a copy of fundraising events, their guests and items: in SQLite, NDJSON or CSV.
 *
 * One file without dependencies, for Node.js 22.13, Deno 2.2, Bun 1.2 or newer. `node pull.mjs --help`
 * shows how to use it, and what its exit codes mean. It is also a library, whose types are in pull.d.mts:
 *
 *     import { sync } from "./pull.mjs"
 *     for await (const change of sync({ base, family, user, password, state })) {
 *       if (change.type === "upsert") // insert or replace change.record by event, category and id
 *       if (change.type === "delete") // delete that record
 *       if (change.type === "sweep")  // delete the list's records of an earlier change.generation
 *       if (change.type === "gone")   // change.event can no longer be read
 *       if (change.type === "commit") // commit all this together with JSON.stringify(change.state)
 *     }
 *
 * Put everything between two commits into one transaction, together with the state of the second. Then
 * your copy survives a crash at any moment: start again with the last state that you committed. Records
 * may arrive more than once, and the later one counts. No request is sent between the first change and
 * its commit, so such a transaction is short.
 *
 * Why nothing is lost:
 *  1. Each event has a feed. Its cursor is state, and changes only together with the data.
 *  2. A long event is read by exports first, then by the feed from a cursor that is older than they are.
 *  3. A response counts only if it is complete: its type, its JSON, its records, the checksum of an export.
 *  4. Records that have to be read again stay in the copy until then. Those that do not come again are removed at the
 *     end.
 *  5. Once a day, the copy is compared with the service's digest, and what differs is read again.
 *  6. This computer's clock only decides whether a ping is new.
 */
import * as fs from "node:fs"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { main } from "./client/command.ts"

export { main }
export { PullError } from "./client/errors.ts"
export { sync } from "./client/sync.ts"

const isCommand = import.meta.main ??
  (process.argv[1] !== undefined && fs.existsSync(process.argv[1]) &&
    fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
if (isCommand) process.exitCode = await main(process.argv.slice(2))
