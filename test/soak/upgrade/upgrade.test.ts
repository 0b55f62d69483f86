import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import t from "tap"
import { lastRelease } from "../../releases/last-release.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { installVersions } from "./packages.ts"
import { rollOver } from "./rolling.ts"

t.setTimeout(20 * 60_000)
const program = await ownMysql()

await t.test(
  "services of the last release are upgraded under load and rolled back: no request fails, no record is lost",
  {
    skip: typeof program === "string" && program,
  },
  async (t) => {
    if (typeof program === "string") return
    const folder = mkdtempSync(join(tmpdir(), "event-export-versions-"))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const versions = await installVersions(folder, {
      given: undefined,
      release: basename(lastRelease),
    })
    const { observations, crowd, readers, pulls, comparison } = await rollOver({
      program,
      versions,
      seconds: 4,
      seed: 1,
      signal: new AbortController().signal,
      report: (line) => t.comment(line),
    })
    t.strictSame(observations.violations, [])
    const outcomes = [...observations.outcomes().keys()]
    t.strictSame(outcomes.filter((outcome) => !["200", "204", "304"].includes(outcome)), [])
    t.ok(crowd.commits > 0 && crowd.polls > 0 && readers.exports > 0 && pulls > 0)
    t.ok(comparison.compared > 1000, "many records were compared")
  },
)
