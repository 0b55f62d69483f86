import type { Capability } from "../../../core/capability.ts"

/** Checks a configuration in the place of the one in force, in the console. */
const drafts: Capability = {
  name: "drafts",
  summary: "Checks drafts of the configuration in the console",
  additions: { console: async () => (await import("./page.ts")).pages },
}

export default drafts
