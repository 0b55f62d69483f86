import process from "node:process"

const isQuick = Boolean(process.env["QUICK"])

/** Why tests that start a process are skipped, if they are. */
export const withoutProcesses: false | string = isQuick && "make quick starts no process"

/** Why tests that take seconds are skipped, if they are. */
export const withoutSlow: false | string = isQuick && "make quick leaves out what takes seconds"
