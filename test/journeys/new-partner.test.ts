// slow: starts the service and a shell as processes
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { processApp } from "../support/app.ts"
import { password } from "../support/builder.ts"
import { firstLines, runLines } from "../support/guide-lines.ts"

const missing = ["bash", "curl"].find((command) => spawnSync(command, ["--version"]).error)

await t.test(
  "a new partner's first lines, as the guide has them for the account, show events and guests",
  {
    skip: missing ? `${missing} is not on this machine` : false,
  },
  async (t) => {
    const { build, logIn } = await processApp(t, "node")
    const acme = await build.organization("acme")
    const event = await build.event(acme, { name: "Founders’ Dinner" })
    const guests = await build.guests(event, 3)
    for (const [name, role] of [["acme-export", "service"], ["agency", "partner"]] as const) {
      await build.account(name, role)
      await build.grant(name, { organization: "acme" })
    }

    for (const [account, family] of [["acme-export", "/acme/v1"], ["agency", "/connector-a/v1"]]) {
      const guide = await (await (await logIn(account ?? ""))("/docs/guide.md")).text()
      const lines = firstLines(guide)
      t.ok(lines.trim().split("\n").length <= 10, "at most ten lines")
      t.ok(lines.includes(`FAMILY=${family} EVENT=${event}`), lines)
      const folder = t.testdir()
      const { code, stdout, stderr } = await runLines(lines, { folder, password })
      t.strictSame([code, stderr], [0, ""])
      const [events, firstGuests] = stdout.trim().split("\n").map((line) => JSON.parse(line))
      t.match(events, [{ id: event, name: "Founders’ Dinner" }])
      t.strictSame(firstGuests.map(({ id }: { id: string }) => id), guests.slice(0, 2))
      t.equal(
        statSync(join(folder, "cookies.txt")).mode & 0o077,
        0,
        "nobody else can read the cookie",
      )
    }
  },
)
