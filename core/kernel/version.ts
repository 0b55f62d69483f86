import packageFile from "../../package.json" with { type: "json" }

/** The version of event-export, such as `1.1.0`. */
export const { version } = packageFile
