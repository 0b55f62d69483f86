/** What capabilities use of the driver: the only file here that they import. */
export { connectTo, readTargets, type Target } from "./connection-options.ts"
export { connect, connectionsBy, type CreatePool, poolsOf } from "./connections.ts"
export { describeDenial } from "./denial.ts"
export { readOnlyVariables } from "./inspection.ts"
export { dialectFor } from "./open-mysql.ts"
export { patientPool, type Pool } from "./pool.ts"
