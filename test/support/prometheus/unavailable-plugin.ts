/** The name of a file beside a configuration with a plugin that answers 503 at `/absent/v1/events`, and its text. */
export const unavailablePlugin = {
  file: "absent.mjs",
  text: `import { definePlugin, handler, Problem, signedIn, v } from "event-export/plugin"
const handle = () => {
  throw new Problem("unavailable", "It is away.")
}
export default definePlugin({
  apiVersion: 3, name: "absent", summary: "Is away", settings: v.strictObject({}),
  mount: () => ({ prefix: "/absent", routes: [handler("GET", "/v1/events", { auth: signedIn, handle })] }),
})
`,
}
