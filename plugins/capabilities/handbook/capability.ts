import type { Capability } from "../../../core/capability.ts"

/** The operators' handbook, as pages of the console. */
const handbook: Capability = {
  name: "handbook",
  summary: "Shows the handbook in the console",
  additions: { console: async () => (await import("./pages.ts")).pages },
}

export default handbook
