import { ownFeed } from "../feed/feed-model.ts"
import { losingFeeds } from "../feed/losing-feeds.ts"
import { FeedMachine } from "./feed/feed-machine.ts"
import { feedScenarios, losingScenarios } from "./feed/scenarios.ts"
import type { Machine } from "./machine.ts"
import { losingDesigns, ownDesign, safeDesigns } from "./polling/designs.ts"
import { PollingMachine } from "./polling/polling-machine.ts"
import { scenarios } from "./polling/scenarios.ts"
import { realVersion } from "./versions/version-design.ts"
import { losingVersions, versionScenarios } from "./versions/version-designs.ts"
import { VersionMachine } from "./versions/version-machine.ts"

/** The name of the service's own feed. */
export const ownFeeds = "event-export, feed"

/** The name of the way in which the service makes versions. */
export const ownVersions = "event-export, versions"

/** A design, and the scenarios that it can be played in. */
export interface Case {
  readonly design: string
  /** The scenario in which it loses; for a design that does not, any. */
  readonly scenario: string
  readonly scenarios: readonly string[]
  /** Returns undefined for a name that is not among the scenarios. */
  machine(scenario: string): Machine<unknown> | undefined
}

/** All designs by name. */
export const cases: ReadonlyMap<string, Case> = new Map([
  ...[
    ...Object.entries(safeDesigns).map(([name, design]) =>
      ({ name, design, scenario: "two updates" }) as const
    ),
    ...Object.entries(losingDesigns).map(([name, losing]) => ({ name, ...losing })),
  ].map(({ name, design, scenario }): [string, Case] => [name, {
    design: name,
    scenario,
    scenarios: [...scenarios.keys()],
    machine(scenario) {
      const found = scenarios.get(scenario)
      return found && new PollingMachine(design, found) as Machine<unknown>
    },
  }]),
  ...[
    { name: ownFeeds, design: ownFeed, scenario: "late changes" },
    ...Object.entries(losingScenarios).map(([name, scenario]) => ({
      name: `feed: ${name}`,
      design: losingFeeds.get(name)?.design ?? ownFeed,
      scenario,
    })),
  ].map(({ name, design, scenario }): [string, Case] => [name, {
    design: name,
    scenario,
    scenarios: Object.keys(feedScenarios),
    machine(scenario) {
      const found = feedScenarios[scenario]
      return found && new FeedMachine(design, found) as Machine<unknown>
    },
  }]),
  ...[
    { name: ownVersions, design: realVersion, scenario: "a base moves" },
    ...Object.entries(losingVersions).map(([name, losing]) => ({ name, ...losing })),
  ].map(({ name, design, scenario }): [string, Case] => [name, {
    design: name,
    scenario,
    scenarios: Object.keys(versionScenarios),
    machine(scenario) {
      const found = versionScenarios[scenario]
      return found && new VersionMachine(design, found) as Machine<unknown>
    },
  }]),
])

/**
 * Returns the machine that plays a design in a scenario, by default in its own.
 *
 * @throws {RangeError} for an unknown name; the message lists the names.
 */
export function findCase(
  design = ownDesign,
  scenario?: string,
): { readonly machine: Machine<unknown>; readonly design: string; readonly scenario: string } {
  const found = cases.get(design)
  if (!found) throw new RangeError(`no design "${design}": ${[...cases.keys()].join("; ")}`)
  const name = scenario ?? found.scenario
  const machine = found.machine(name)
  if (!machine) throw new RangeError(`no scenario "${name}": ${found.scenarios.join("; ")}`)
  return { machine, design, scenario: name }
}
