import type { Capability } from "../../../core/capability.ts"

/** The test suite for plugins. Adds nothing to a service. */
const conformance: Capability = {
  name: "conformance",
  summary: "Checks plugins in their tests; adds nothing to a service",
}

export default conformance
