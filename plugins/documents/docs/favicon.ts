import { anyone, handler } from "../../../core/plugin.ts"
import { findDesignFile, respondFile } from "../../design/design.ts"

/** The icon that browsers request for responses other than our pages, such as JSON. */
export const favicon = handler("GET", "/favicon.ico", {
  auth: anyone,
  quiet: true,
  async handle({ request }) {
    const icon = await findDesignFile("icon.svg")
    if (!icon) throw new TypeError("the design has no icon")
    return respondFile(request, icon, { "cache-control": "public, max-age=86400" })
  },
  describe: {
    summary: "Icon",
    description: "The icon of the service, for browsers.",
    answers: { 200: "image/svg+xml", 304: null },
    headers: ["Cache-Control", "Vary", "ETag"],
  },
})
