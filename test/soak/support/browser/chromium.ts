import { existsSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { type Browser, chromium } from "playwright-core"
import type { Test } from "tap"
import { librariesIn, unpackedFolder } from "../../../support/debian/unpack.ts"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Flags to render in software, without requests of the browser's own. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

interface Program {
  readonly executablePath: string
  readonly env?: Record<string, string>
}

/**
 * Starts a Chromium without a window, and closes it after the test. Uses the one that CHROMIUM names,
 * else the first on PATH that starts, else one from this machine's package mirror. If there is none, skips the
 * test with advice and returns undefined. Rejects if the last one does not start.
 */
export async function startBrowser(t: Test): Promise<Browser | undefined> {
  const browser = await launchGiven(t) ?? await launchInstalled(t)
  if (browser) return browser
  const program = await unpackedProgram().catch((error: Error) => error)
  if (!(program instanceof Error)) return await launch(t, program)
  const reason = program.message.trim().split("\n")[0]
  t.plan(0, `no browser: ${reason}. Set CHROMIUM to a Chromium or Chrome, or have one on PATH.`)
  return undefined
}

async function launchGiven(t: Test): Promise<Browser | undefined> {
  const given = process.env["CHROMIUM"]
  return given ? await launch(t, { executablePath: given }) : undefined
}

/** What has the name of a browser may only say how to install one. */
async function launchInstalled(t: Test): Promise<Browser | undefined> {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  for (const file of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (!existsSync(file)) continue
    const browser = await launch(t, { executablePath: file }).catch(() => undefined)
    if (browser) return browser
    t.comment(`${file} does not start as a browser`)
  }
  return undefined
}

async function launch(t: Test, { executablePath, env = {} }: Program): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: flags,
    timeout: 300_000,
    env: { ...process.env as Record<string, string>, ...env },
  })
  t.teardown(() => browser.close())
  return browser
}

async function unpackedProgram(): Promise<Program> {
  const folder = await unpackedFolder({
    name: "chromium",
    packages: ["chromium-headless-shell", "fonts-dejavu-core"],
    // It starts child processes with the machine's loader, which needs the machine's C library.
    without: ["libc6", "libgcc-s1", "libstdc++6", "libgl1-mesa-dri", "perl", "debconf"],
  })
  return {
    executablePath: join(folder, "usr/lib/chromium/chromium-headless-shell"),
    env: { LD_LIBRARY_PATH: librariesIn(folder), FONTCONFIG_FILE: fontsOf(folder) },
  }
}

/** Writes a font configuration with only the fonts of a folder, and returns its path. */
function fontsOf(folder: string): string {
  const file = join(folder, "fonts.conf")
  const aliases = Object.entries({
    "system-ui": "DejaVu Sans",
    "sans-serif": "DejaVu Sans",
    "ui-monospace": "DejaVu Sans Mono",
    monospace: "DejaVu Sans Mono",
  }).map(([family, font]) =>
    `<alias><family>${family}</family><prefer><family>${font}</family></prefer></alias>`
  )
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(folder, "usr/share/fonts")}</dir><cachedir>${join(folder, "font-cache")}</cachedir>
${aliases.join("\n")}
</fontconfig>`,
  )
  return file
}
