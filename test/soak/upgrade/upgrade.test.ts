// Upgrades two services under load, one after the other, and rolls back: every request has to succeed, and all copies of
// partners have to equal the tables at the end. make upgrade SOAK_SECONDS=8 SEED=7 PREVIOUS=event-export-1.3.0.tgz
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import process from "node:process"
import t from "tap"
import { lastRelease } from "../../releases/last-release.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { describeResult } from "../chaos/report.ts"
import { secondsOf, seed } from "../support/chosen.ts"
import { installVersions } from "./packages.ts"
import { rollOver } from "./rolling.ts"

t.setTimeout(60 * 60_000)
const program = await ownMysql()
const wanted = new Set(["200", "204", "304"])

await t.test(`no request fails while services are upgraded and rolled back: SEED=${seed}`, {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  const folder = mkdtempSync(join(tmpdir(), "event-export-versions-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const report = (line: string) => t.comment(line)
  // A tarball or a commit; by default the one that recorded the last release.
  const given = process.env["PREVIOUS"]
  const versions = await installVersions(folder, { given, release: basename(lastRelease) })
  if (versions === undefined) return void report("the last release is the present version")
  report(`${versions.previous.version} to ${versions.next.version}: ${versions.origin}`)
  const result = await rollOver(t, {
    program,
    versions,
    seconds: secondsOf(4),
    seed,
    signal: new AbortController().signal,
    report,
  })
  const { stage: { observations }, crowd, pulls, comparison } = result
  report(`${describeResult(result)}\n${pulls} runs of pull`)
  // While its tables are altered, version 1.1.0 answers 500 if MySQL has prepared a statement anew too often.
  const isKnown = (violation: string) => violation.includes("ER_NEED_REPREPARE")
  const known = observations.violations.filter(isKnown).length
  const { "500": failed = 0, ...others } = Object.fromEntries(
    [...observations.outcomes()].filter(([outcome]) => !wanted.has(outcome)),
  )
  t.ok(failed <= known, `${failed} times 500, and ${known} statements that had to be prepared anew`)
  t.strictSame(others, {})
  t.strictSame(
    observations.violations.filter((each) => !isKnown(each) && !/\b500\b/.test(each)),
    [],
  )
  const { compared = 0, lostByControl = 0 } = comparison ?? {}
  t.ok(compared > 500 && pulls > 0 && crowd.exports > 0, "partners read all the time")
  t.ok(lostByControl > 0, "a run in which nobody can lose finds nothing")
})
