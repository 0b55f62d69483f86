/** The contract of plugins, as version 1.1.0 had it. `make record` writes this. */
export type * as plugin from "./1.1.0/contract/core/plugin.ts"
export type * as conformance from "./1.1.0/contract/core/conformance/conformance.ts"
