import { Command } from "commander"
import * as v from "valibot"
import { type Capability, isLoopback, type Plan, UserError } from "../../../core/capability.ts"
import { exposuresOf } from "../../../core/commands.ts"
import { demoCommand, type DemoFlags } from "./command.ts"
import {
  awaitArrival,
  type DemonstrationSettings,
  fillDemonstration,
  loadDemonstration,
  type Platform,
} from "./demonstration.ts"
import { Happenings } from "./happenings.ts"
import { nearby, operatorLines } from "./operator-lines.ts"
import { isLive, playDemonstration } from "./live-demonstration.ts"
import { openPlatform, placePlatform } from "./platform.ts"

/** Data for trying the service, and participants that keep it changing. */
const demonstration: Capability<DemonstrationSettings> = {
  name: "demonstration",
  summary: "Fills an empty database with data to try, and lets simulated partners poll it",
  settings: {
    group: "demonstration",
    schema: v.optional(v.strictObject({
      module: v.pipe(v.string("must be text"), v.nonEmpty("must not be empty")),
      live: v.optional(v.boolean("must be true or false"), false),
      local: v.optional(v.boolean("must be true or false"), false),
    })),
    fixed: ["local"],
    isLocal: (settings) => settings?.local === true,
  },
  commands: [
    demoCommand,
    () =>
      new Command("serve").option(
        "--demo",
        "fill an empty database with the demonstration data first, and show what to try",
      ),
  ],
  warn: ({ plan: { server: { host } }, settings }) =>
    settings?.local && !isLoopback(host)
      ? [{
        about: "demonstration.local",
        message:
          `it says that only this machine reaches ${host}, so accounts with a password that everyone ` +
          `knows are served there, and nothing checks it. Publish the port on 127.0.0.1 only, and remove ` +
          `demonstration in production`,
      }]
      : [],
  async start({ plan, settings, flags, service, environment }) {
    if (!flags["demo"]) return {}
    refusePublic(plan)
    const demonstration = await loadDemonstration(plan.file, settings)
    const place = placePlatform(demonstration, plan)
    let platform: Platform | undefined
    const { folder, log, progress, screen } = flags as DemoFlags
    const happenings = new Happenings()
    const { count, observe } = happenings
    let stop: (() => void) | undefined
    return {
      async prepare(database) {
        const opened = await openPlatform(place)
        platform = opened
        await fillDemonstration(
          demonstration,
          { database, platform: opened },
          () => progress?.("creating demonstration data"),
        )
      },
      observe,
      async serving(url) {
        const { config, database } = service.instance
        await awaitArrival(demonstration, database)
        // Browsers and the check of the `Host` header do not accept 0.0.0.0.
        const local = localUrl(url)
        if (platform) {
          stop = playDemonstration(demonstration, { service, platform, url: local, count })
        }
        const guide = demonstration.guide(config.server.publicUrl ?? local, isLive(config))
        const lines = folder === undefined
          ? ""
          : await operatorLines({ folder, plan, environment, url })
        screen?.show(() => happenings.line(isLive(service.instance.config)))
        const note = log === undefined ? "" : `The log is in ${log}. Ctrl-C ends the service.`
        const source = `Its records come from the platform beside it, as ${
          nearby(place.mapping)
        } says.\n`
        const text = [guide, source, lines, note].filter(Boolean).join("\n")
        return { fields: {}, lines: {}, text }
      },
      tell: ({ kind }) => {
        if (kind === "stopping") stop?.()
        else if (kind === "waiting for the database") {
          screen?.show(() => `${kind}: ${log} says why`)
        }
      },
      close: async () => await platform?.destroy(),
    }
  },
}

export default demonstration

/** @throws {UserError} if other machines can reach the service. */
function refusePublic(plan: Plan): void {
  const exposures = exposuresOf(plan)
  if (exposures.length === 0) return
  throw new UserError(
    "Everyone knows the password of the demonstration, and others can reach the service: " +
      `${exposures.join("; ")}. Nothing was started. ` +
      "Serve no demonstration, or serve it on loopback only.",
  )
}

/** Returns a server's URL, with loopback as its host if it listens on all addresses. */
export function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}
