/** The contract of plugins, as version 1.1.0 had it. `make record` writes this. */
export type * as plugin from "last/core/plugin"
export type * as conformance from "last/core/conformance/conformance"
