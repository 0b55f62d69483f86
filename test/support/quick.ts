import process from "node:process"

const isQuick = Boolean(process.env["QUICK"])

/** The reason to skip tests that start a process; false if they run. */
export const withoutProcesses: false | string = isQuick && "make quick starts no process"

/** The reason to skip tests that take seconds; false if they run. */
export const withoutSlow: false | string = isQuick &&
  "make quick leaves out tests that take seconds"
