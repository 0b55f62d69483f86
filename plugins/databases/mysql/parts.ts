/** The exports for the capability `servers`, which imports no other file here. */
export { connectTo, readTargets, type Target } from "./connection-options.ts"
export { connect, connectionsBy, type CreatePool, poolsOf } from "./connections.ts"
export { describeDenial } from "./denial.ts"
export { readOnlyVariables } from "./inspection.ts"
export { dialectFor } from "./open-mysql.ts"
export { patientPool, type Pool } from "./pool.ts"
