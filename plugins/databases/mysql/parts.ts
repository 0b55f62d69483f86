/** The only file here that the capability `servers` imports. */
export { connectTo, readTargets, type Target } from "./connection-options.ts"
export { connect, connectionsBy, type CreatePool, poolsOf } from "./connections.ts"
export { describeDenial } from "./denial.ts"
export { readOnlyVariables } from "./inspection.ts"
export { dialectFor } from "./open-mysql.ts"
export { patientPool, type Pool } from "./pool.ts"
