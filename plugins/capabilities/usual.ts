/** The capabilities of a configuration that has no list of them. */
export const usual = [
  "accounts",
  "audit",
  "check",
  "demonstration",
  "disclosures",
  "explain",
  "export",
  "feed",
  "filters",
  "handbook",
  "memory",
  "metrics",
  "partners",
  "ping",
  "presence",
  "resync",
  "scaffold",
  "servers",
  "sessions",
  "waiting",
]

/** Those that are on as well, without a list, if the file has their group of settings. */
export const onWithGroup = ["connect"]

/** The groups of settings that do not have the name of their capability, and that capability. */
export const otherGroups = { admin: "metrics" }
