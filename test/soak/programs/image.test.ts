import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { secret } from "../../support/app.ts"
import { type Engine, findEngine } from "../support/containers/engine.ts"
import { buildImage } from "../support/containers/images.ts"

const engine = findEngine()
const skip = typeof engine === "string" && engine
const hardened = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]

t.test("the image", { skip }, async (t) => {
  if (typeof engine === "string") return
  const image = await buildImage(engine)

  await t.test("has less than 250 MB, a user without rights, and says what is in it", async (t) => {
    const [{ Size, Config }] = JSON.parse(await engine.run("image", "inspect", image))
    t.ok(Size < 250_000_000, `${Size} bytes`)
    t.match(Config, {
      User: "65532:65532",
      Entrypoint: ["/usr/local/bin/event-export"],
      Labels: {
        "org.opencontainers.image.title": "event-export",
        "org.opencontainers.image.version": /^\d+\.\d+\.\d+$/,
        "event-export.contents": /Node\.js/,
      },
    })
  })

  await t.test("has no shell and no package manager, and one folder that its user owns", async (t) => {
    const files = await filesOf(engine, image)
    t.ok(files.length > 1000)
    const programs =
      /(^|\/)(sh|bash|dash|busybox|env|perl|python\S*|npm|npx|apt|apt-get|dpkg|curl|wget)$/
    const executable = files.filter(({ mode }) => mode.startsWith("-") && mode.includes("x"))
    t.strictSame(executable.filter(({ path }) => programs.test(path)), [])
    const own = files.filter(({ owner }) => owner !== "0/0").map(({ path }) => path)
    t.strictSame(own, ["var/lib/event-export/"])
    const open = files.filter(({ mode }) => !mode.startsWith("l") && mode[8] === "w")
    t.strictSame(open.map(({ path }) => path), ["tmp/"])
    const set = files.filter(({ mode }) => /[sS]/.test(mode.slice(1)))
    t.strictSame(set, [], "nothing runs as another user")
    const paths = files.map(({ path }) => path)
    t.ok(paths.includes("etc/ssl/certs/ca-certificates.crt"))
    t.ok(paths.includes("usr/share/zoneinfo/Europe/London"))
    t.strictSame(paths.filter((path) => /npmrc$|\.env$|secret-file$/.test(path)), [])
  })

  await t.test("serves on a read-only root, reloads at SIGHUP, and ends at SIGTERM", async (t) => {
    const folder = configuration(t)
    const id = await engine.run(
      ...["run", "--detach", ...hardened, "--publish", "127.0.0.1::8080"],
      ...["--volume", `${folder}:/etc/event-export:ro`, "--env", `SESSION_SECRET=${secret}`],
      ...["--volume", "/var/lib/event-export", image, "serve", "--migrate", "--demo"],
    )
    t.teardown(() => engine.run("rm", "--force", "--volumes", id))
    const address = (await engine.run("port", id, "8080")).split("\n")[0]
    const ready = () => fetch(`http://${address}/readyz`).then(({ ok }) => ok, () => false)
    while (!await ready()) {
      const state = await engine.run("inspect", "--format", "{{.State.Running}}", id)
      if (state !== "true") return t.fail(await engine.run("logs", id))
      await setTimeout(100)
    }
    const [{ Config, Healthcheck }] = JSON.parse(await engine.run("image", "inspect", image))
    // docker has it in one place, podman in another.
    const [, ...check] = (Config.Healthcheck ?? Healthcheck).Test
    await t.resolves(engine.run("exec", id, ...check), "HEALTHCHECK finds it healthy")
    await t.rejects(engine.run("exec", "--env", "PORT=9", id, ...check), "else it does not")
    t.match(await engine.run("exec", id, "event-export", "account", "list"), /partner-a/)
    await t.rejects(engine.run("exec", id, "sh", "-c", "true"))

    await engine.run("kill", "--signal", "HUP", id)
    while (!/"trigger":"SIGHUP".*configuration applied/.test(await engine.run("logs", id))) {
      await setTimeout(100)
    }
    await engine.run("stop", "--time", "30", id)
    t.equal(await engine.run("inspect", "--format", "{{.State.ExitCode}}", id), "0")
    t.match(await engine.run("logs", id), /"msg":"stopping"/)
  })

  await t.test("says what is missing without a configuration", async (t) => {
    const message = /cannot read the configuration: .*\/etc\/event-export\/event-export\.yaml/
    await t.rejects(engine.run("run", "--rm", ...hardened, image), { message })
  })
})

/** Writes a configuration of a demonstration on the embedded database, and returns its folder. */
function configuration(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  // The user of the container is another one.
  chmodSync(folder, 0o755)
  writeFileSync(
    join(folder, "event-export.yaml"),
    `server: { host: 0.0.0.0, port: 8080, public_url: "http://127.0.0.1:8080" }
database: { url: "sqlite:/var/lib/event-export/event-export.db" }
session: { secrets: ["\${SESSION_SECRET}"] }
connect: { mapping: /var/lib/event-export/platform.yaml }
demonstration: { module: /app/dist/config/demo/demonstration.js, local: true }
plugins:
  - use: session
  - use: health
`,
    { mode: 0o644 },
  )
  return folder
}

/** Lists what is in an image: the mode, the owner and the path of each file. */
async function filesOf(engine: Engine, image: string) {
  const id = await engine.run("create", image)
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  try {
    const archive = join(folder, "root.tar")
    await engine.run("export", "--output", archive, id)
    const list = execFileSync("tar", ["--numeric-owner", "-tvf", archive], {
      encoding: "utf8",
      maxBuffer: 2 ** 26,
    })
    // The engine adds files of its own when it creates a container.
    const added =
      /^(\.dockerenv|dev\/.*|proc\/|sys\/|run\/\.containerenv|etc\/(hosts|hostname|resolv\.conf|mtab))$/
    return list.trim().split("\n").map((line) => {
      const [mode = "", owner = "", , , , ...rest] = line.split(/\s+/)
      return { mode, owner, path: rest.join(" ").replace(/ (->|link to) .*/, "") }
    }).filter(({ path }) => !added.test(path))
  } finally {
    await engine.run("rm", id)
    rmSync(folder, { recursive: true })
  }
}
