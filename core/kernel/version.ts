import packageFile from "../../package.json" with { type: "json" }

/** The version of event-export, such as `2.0.0`. */
export const { version } = packageFile
