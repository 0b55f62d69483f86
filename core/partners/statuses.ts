import { problems } from "../http/problems.ts"

/** The statuses of errors. The audit log has an index by status and time. */
export const errorStatuses: readonly number[] = [
  ...new Set(Object.values(problems).map(({ status }) => status)),
]

/** The statuses of all requests in the audit log: pages, log-ins by program and by browser, and errors. */
export const requestStatuses: readonly number[] = [200, 204, 303, 304, ...errorStatuses]
