import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { configFolder } from "../../support/config-folder.ts"
import { secret } from "../../support/app.ts"
import { runCommand } from "../../support/run-command.ts"

t.test(
  "serve that waits for its database ends on a signal, but not on SIGHUP; other commands do not wait",
  async (t) => {
    const env = {
      DATABASE_URL: "mysql://root:hunter2@127.0.0.1:9/none",
      SESSION_SECRET: secret,
      PORT: "0",
      ADMIN_PORT: "0",
      DEMO_MAPPING: join(configFolder(t).folder, "platform.yaml"),
    }
    for (const command of ["migrate", "account list", "audit"]) {
      t.match(await runCommand(command, { env }), { code: 1, err: /ECONNREFUSED/ }, command)
    }
    for (const [signal, args] of [["SIGTERM", []], ["SIGINT", ["--migrate", "--demo"]]] as const) {
      const child = spawn(process.execPath, ["core/main.js", "serve", ...args], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "inherit"],
      })
      const exit = once(child, "exit")
      const lines = createInterface({ input: child.stdout })
      const [line] = await once(lines, "line")
      t.match(JSON.parse(line), { msg: "waiting for the database", database: "127.0.0.1:9/none" })
      child.kill("SIGHUP")
      await setTimeout(100)
      child.kill(signal)
      t.strictSame(await exit, [0, null])
    }
  },
)
