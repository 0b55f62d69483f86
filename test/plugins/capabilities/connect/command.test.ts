import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { configFolder, goodConfig } from "../../../support/config-folder.ts"
import { fillStatements, freshPlatform } from "../../../support/connect/platform.ts"
import { freshUrl, onEveryEngine, openFor } from "../../../support/database.ts"
import { storagesWithout } from "../../../support/storages.ts"
import { runCommand } from "../../../support/run-command.ts"

await onEveryEngine(t, async (t, engine) => {
  await t.test("connect leads from the tables of a platform to records, to triggers, and back", async (t) => {
    const url = await freshUrl(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(12))
    const { folder, write } = configFolder(t)
    const at = (name: string) => join(folder, name)
    const config = write(
      `${goodConfig.replace("sqlite:test.db", url)}connect:\n  mapping: platform.yaml\n`,
    )
    writeFileSync(at("platform-url"), platform.url)
    chmodSync(at("platform-url"), 0o600)
    const run = (args: string) => runCommand(`-c ${config} ${args}`)
    await run("migrate")
    const database = await openFor(t, url, { storages: storagesWithout([]) })

    t.match(await run(`connect inspect mysql://a:b@c/d --output ${at("x.yaml")}`), {
      code: 1,
      err: /into a file/,
    })
    const output = at("platform.yaml")
    t.match(await run(`connect inspect ${at("platform-url")} --output ${output}`), {
      code: 0,
      out: /SELECTs for organization, event, guest, buy_now_item, ticket/,
    })
    t.match(await run(`connect inspect ${at("platform-url")} --output ${output}`), {
      code: 1,
      err: /exists already/,
    })
    // The one that it could not know.
    const text = readFileSync(output, "utf8").replace(
      /(left join place on .*)/,
      "$1 and place.sort = 'home'",
    )
    writeFileSync(output, text)

    const preview = await run("connect preview")
    t.match(preview, {
      code: 0,
      out: /guest as \S+ sends it:\n\{"id":"[^"]+","eventId":"[^"]+","firstName":"Ada1"/,
    })
    t.match(preview.out, /Autumn Gala +acme +12 +1 +1/)
    t.match(preview.out, /Every row can be taken over/)
    t.equal((await database.writer.selectFrom("guest").selectAll().execute()).length, 0)

    const served = readFileSync(config, "utf8")
    writeFileSync(config, served.replace(/ {2}- use: connector-b[\s\S]*?(?=connect:)/, ""))
    t.match(await run("connect preview"), {
      code: 0,
      out:
        /guest with all fields; no family in the .* yet:\n\{"id":"[^"]+","eventId":.*"mainAddress":\{/,
    })
    const customers = ["acme", "agnes"].map((name) =>
      `{ namespace: ${name}, organization: ${name}, service_user: ${name}-export }`
    )
    const other = `  - use: custom-export\n    with: { customers: [${customers.join(", ")}] }\n`
    writeFileSync(config, served.replace("  - use: connector-b", `${other}$&`))
    const { out: others } = await run("connect preview")
    t.match(others, /guest as \/acme\/v1 sends it:\n\{"id"/)
    t.match(others, /guest: \/agnes\/v1 sends none of these: on for agnes\n/)
    writeFileSync(config, served)
    writeFileSync(output, text.replace("'Europe/London' as timezone", "'London' as timezone"))
    t.match(await run("connect preview"), {
      out: /^No event can be taken over.*\n\nLeft out[^]*event: timezone is not a time zone/,
    })
    writeFileSync(output, text)
    t.match(await run("connect status"), { out: /^Nothing has been taken over yet/ })
    t.match(await run("connect run"), {
      code: 0,
      out: /18 rows in \S+ s: 18 added, 0 changed, 0 deleted/,
    })
    t.match(await run("connect status"), {
      code: 0,
      out: /Compared as a whole at .*: 18 rows, 18 written, 0 deleted, 0 refused/,
    })
    t.match(await run("connect find guest 7"), {
      code: 0,
      out: new RegExp(`7 +${idOf("guest", "7")}`),
    })
    t.match(await run(`connect find guest ${idOf("guest", "7")}`), { code: 0, out: / 7 / })
    t.match(await run("connect find guest 99"), {
      code: 1,
      err: new RegExp(`No guest 99 is taken over now.* partners know it as ${idOf("guest", "99")}`),
    }, "an erasure needs the id of a row that is gone")

    const plan = await run("connect plan")
    // SQLite has no way to let the statement of a failing trigger go on.
    t.equal(plan.out.includes("the statement of the platform goes on"), engine !== "sqlite")
    t.match(
      plan.out,
      /-- attendee has 12 rows\.[\s\S]*create trigger event_export_attendee_insert[\s\S]*-- The undo/,
    )
    t.match(await run("connect apply"), { code: 0, out: /Made triggers on attendee\./ })
    await platform.run("update person set surname = 'Lovelace' where id = 1")
    t.match(await run("connect run"), { code: 0, out: /0 added, 1 changed/ })
    t.match(await run("connect undo"), { code: 0, out: /are as they were before/ })
    t.match(await run("connect undo"), {
      code: 0,
      out: /^The triggers and the queue are gone\.\n?$/,
    })

    await platform.run(
      "delete from attendee where id = 1",
      "update person set mail = 'x' where id = 2",
    )
    t.match(await run("connect run"), {
      code: 0,
      out:
        /1 deleted\.\n1 rows cannot be taken over:\n {2}1 guest: email is not an e-mail address \(2\)/,
    })
    t.match(await run("connect status"), {
      out: /1 guest: email is not an e-mail address \(2\); partners keep their copies of 1\n/,
    })
    writeFileSync(
      output,
      text.replace("time_zone: Europe/London", "time_zone: Mars/Base\n  evry: 1"),
    )
    t.match(await run("connect run"), {
      code: /[12]/,
      err: /platform\.yaml:\d+:\d+: [\s\S]*platform\.yaml:\d+:\d+: /,
    })
  })
})
