import { once } from "node:events"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Test } from "tap"
import type { Certificate } from "../../../support/certificates.ts"
import { spawnBound } from "../../../support/spawn-bound.ts"
import { findStablePort } from "../../../support/stable-port.ts"
import { findProgram, type Program } from "../program.ts"

/** The name in the configurations. */
export const publicName = "export.example.org"

interface ProxyOptions {
  /** The ports of the two processes behind it. */
  readonly upstreams: readonly [number, number]
  /** For `publicName`. */
  readonly certificate: Certificate
}

export interface RunningProxy {
  readonly name: ProxyName
  /** The port for TLS, and that for plain HTTP. */
  readonly port: number
  readonly plainPort: number
  /** Returns what the proxy has logged. */
  log(): string
}

interface Places {
  readonly folder: string
  readonly port: number
  readonly plainPort: number
}

/** The reverse proxies that there are configurations for, with their files in config/deploy. */
const files = { nginx: "nginx.conf", caddy: "Caddyfile", haproxy: "haproxy.cfg" } as const
export type ProxyName = keyof typeof files

/** What its child processes and the machine's loader need from the machine, and scripts that nothing here runs. */
const without = ["libc6", "libgcc-s1", "adduser", "debconf", "dpkg", "iproute2", "perl"]

/** Finds the proxies that this machine has or its mirror; of the others, the reasons. */
export async function findProxies(): Promise<ReadonlyMap<ProxyName, Program | Error>> {
  const found = new Map<ProxyName, Program | Error>()
  for (const name of Object.keys(files) as ProxyName[]) {
    const packages = { name: `proxies/${name}`, packages: [name], without }
    found.set(name, await findProgram(name, packages).catch((error: Error) => error))
  }
  return found
}

/** Starts a proxy with its file of config/deploy, other ports and other paths, and ends it after the test. */
export async function startProxy(
  t: Test,
  [name, program]: readonly [ProxyName, Program],
  { upstreams, certificate }: ProxyOptions,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeCertificate(folder, certificate)
  const places = { folder, port: await findStablePort(), plainPort: await findStablePort() }
  const text = upstreams.reduce(
    (text, port, index) => text.replaceAll(`127.0.0.1:${8081 + index}`, `127.0.0.1:${port}`),
    readFileSync(join("config/deploy", files[name]), "utf8"),
  )
  const args = prepare[name](text, places)
  const child = await spawnBound(
    ["/usr/bin/env", ...environmentOf(program, folder), program.file, ...args],
    ["ignore", "pipe", "pipe"],
  )
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => output += chunk)
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  })
  for (const port of [places.port, places.plainPort]) {
    while (!await isOpen(port)) {
      if (child.exitCode !== null) throw new Error(`${name} did not start: ${output}`)
      await setTimeout(20)
    }
  }
  return { name, port: places.port, plainPort: places.plainPort, log: () => output + logIn(folder) }
}

function environmentOf({ env }: Program, folder: string): string[] {
  // Caddy keeps its state there.
  const own = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  return Object.entries({ ...env, ...own }).map(([name, value]) => `${name}=${value}`)
}

function writeCertificate(folder: string, { certificate, key }: Certificate): void {
  writeFileSync(join(folder, "fullchain.pem"), certificate)
  writeFileSync(join(folder, "privkey.pem"), key, { mode: 0o600 })
  writeFileSync(join(folder, "combined.pem"), certificate + key, { mode: 0o600 })
}

/** Writes a configuration with the paths and ports of the test, and returns the arguments of the program. */
const prepare: Readonly<Record<ProxyName, (text: string, places: Places) => string[]>> = {
  nginx(text, { folder, port, plainPort }) {
    writeFileSync(
      join(folder, "event-export.conf"),
      withFolder(text, folder).replace(/^ *listen \[::\].*\n/gm, "")
        .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
        .replace("listen 443 ", `listen 127.0.0.1:${port} `),
    )
    // What the package's own file has around it, as far as it needs a path.
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((each) => {
      mkdirSync(join(folder, each))
      return `${each}_temp_path ${join(folder, each)};`
    })
    const file = join(folder, "nginx.conf")
    writeFileSync(
      file,
      // One process, which ends at once.
      `pid ${folder}/nginx.pid; error_log ${folder}/main.log warn; daemon off; master_process off;
events { worker_connections 1024; }
http { ${temporary.join(" ")} include ${folder}/event-export.conf; }
`,
    )
    return ["-p", folder, "-c", file, "-e", join(folder, "main.log")]
  },
  caddy(text, { folder, port, plainPort }) {
    const file = join(folder, "Caddyfile")
    writeFileSync(
      file,
      withFolder(text, folder).replace("{\n", "{\n\tadmin off\n")
        .replace(`${publicName}:80 {`, `${publicName}:${plainPort} {\n\tbind 127.0.0.1`)
        .replace(`${publicName}:443 {`, `${publicName}:${port} {\n\tbind 127.0.0.1`),
    )
    return ["run", "--adapter", "caddyfile", "--config", file]
  },
  haproxy(text, { folder, port, plainPort }) {
    const file = join(folder, "haproxy.cfg")
    const { username, gid } = userInfo()
    writeFileSync(
      file,
      withFolder(text, folder).replace("user haproxy", `user ${username}`)
        .replace("group haproxy", `gid ${gid}`)
        .replace("bind :80\n", `bind 127.0.0.1:${plainPort}\n`)
        .replace("bind :443 ", `bind 127.0.0.1:${port} `),
    )
    return ["-db", "-f", file]
  },
}

function withFolder(text: string, folder: string): string {
  return text.replaceAll("/etc/ssl/event-export/", `${folder}/`)
    .replaceAll("/var/log/nginx/", `${folder}/`)
}

function logIn(folder: string): string {
  const files = globSync("*.log", { cwd: folder })
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("")
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1")
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
