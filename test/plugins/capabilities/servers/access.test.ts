import t, { type Test } from "tap"
import { configFolder, goodConfig } from "../../../support/config-folder.ts"
import { runCommand } from "../../../support/run-command.ts"

/** Checks a configuration with other settings of the database. */
async function check(t: Test, database: string, more = "") {
  const { write } = configFolder(t)
  const file = write(`${goodConfig.replace("  url: sqlite:test.db", `  ${database}`)}${more}`)
  if (database.startsWith("url: sqlite:")) await runCommand(`-c ${file} migrate`)
  return await runCommand(`-c ${file} check`)
}

t.test("the embedded database has no replicas", async (t) => {
  t.match(await check(t, "url: sqlite:test.db\n  replicas: {}"), {
    code: 2,
    err: /^error: The embedded database has no replicas/,
  })
})

t.test("several servers are refused while nothing serves them", async (t) => {
  const without = "capabilities: [check]\n"
  const several = await check(t, "url: mysql://ann:pw@db1,db2/events", without)
  t.match(several, {
    code: 2,
    err: /^error: The database URL names several servers: add "servers" to the list of capabil/,
  })
  const replicas = await check(t, "url: mysql://ann:pw@db1/events\n  replicas: {}", without)
  t.match(replicas, {
    code: 2,
    err: /^error: database\.replicas is for several servers: add "servers" to the list of capabil/,
  })
})
