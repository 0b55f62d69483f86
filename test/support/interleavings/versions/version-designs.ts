import { realVersion, type VersionDesign } from "./version-design.ts"
import type { VersionScenario, VersionStep } from "./version-machine.ts"

const commits: readonly VersionStep[] = ["begin", "write the row", "commit"]
const rollsBack: readonly VersionStep[] = ["begin", "write the row", "roll back"]
const movesBase: readonly VersionStep[] = ["find a base", "move the base"]
const requests = (number: number): readonly VersionStep[] => Array(number).fill("request")

/** Scenarios in which versions are made, by name. */
export const versionScenarios: Readonly<Record<string, VersionScenario>> = {
  "a base moves": { A: commits, B: commits, instance: movesBase, reader: requests(4) },
  "a base moves past a change that is rolled back": {
    A: commits,
    B: rollsBack,
    instance: movesBase,
    reader: requests(4),
  },
  "two instances move the base": {
    A: commits,
    B: commits,
    instance: movesBase,
    "other instance": movesBase,
    reader: ["request", "request from the other instance"],
  },
  "a failover loses commits": {
    A: commits,
    B: commits,
    server: ["copy", "fail over"],
    reader: requests(4),
  },
  "a failover while a base moves": {
    A: commits,
    B: commits,
    instance: movesBase,
    server: ["copy", "fail over"],
    reader: requests(2),
  },
  "a follower applies commits in their order": {
    A: commits,
    B: commits,
    instance: movesBase,
    follower: Array<VersionStep>(3).fill("apply the next commit"),
    reader: ["request", "request from the follower"],
  },
  "a follower applies changes in any order": {
    A: commits,
    B: commits,
    "applier of A": ["apply A"],
    "applier of B": ["apply B"],
    reader: ["request", "request from the follower", "request from the follower"],
  },
  "a follower applies changes and the base in any order": {
    A: commits,
    instance: movesBase,
    "applier of A": ["apply A"],
    "applier of the base": ["apply base"],
    reader: ["request", "request from the follower"],
  },
}

/** The scenario in which even the service's own design gives one version to different records. */
const unordered = "a follower applies changes and the base in any order"

/** The scenarios in which the service's own design is safe. */
export const safeVersionScenarios: readonly string[] = Object.keys(versionScenarios)
  .filter((name) => name !== unordered)

/** The designs that give one version to different records, by name, with a scenario. */
export const losingVersions: Readonly<
  Record<string, { readonly design: VersionDesign; readonly scenario: string }>
> = {
  "a count from a base in the memory of each instance": {
    design: { ...realVersion, of: "count", base: "in memory" },
    scenario: "two instances move the base",
  },
  "a count alone, and a failover that lost commits": {
    design: { ...realVersion, of: "count" },
    scenario: "a failover loses commits",
  },
  "a count alone, and a follower without commit order": {
    design: { ...realVersion, of: "count" },
    scenario: "a follower applies changes in any order",
  },
  "a base that a follower applies before a change below it": {
    design: realVersion,
    scenario: unordered,
  },
  "a base that passes an open row": {
    design: { ...realVersion, passesOpen: true },
    scenario: "a base moves",
  },
  "a base that passes a number without a row": {
    design: { ...realVersion, passesHandedOut: true },
    scenario: "a base moves",
  },
  "a base that was found before a failover and is written after it": {
    design: { ...realVersion, survivesFailover: true },
    scenario: "a failover while a base moves",
  },
}
