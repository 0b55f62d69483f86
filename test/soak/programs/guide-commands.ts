import { spawnSync } from "node:child_process"

/** Returns why a test is skipped that runs a command of the guide's; false if it can run. The guide's Python uses a package. */
export function missing(command: string): string | false {
  const isPython = command === "python3"
  const { status } = spawnSync(command, isPython ? ["-c", "import requests"] : ["--version"])
  return status !== 0 && `${command}${isPython ? " with requests" : ""} is not on this machine`
}
