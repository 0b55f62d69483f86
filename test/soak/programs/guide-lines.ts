import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { text } from "node:stream/consumers"

/** Runs lines in bash, with the password of the account, and returns what they print. */
export async function runLines(
  lines: string,
  { folder, password }: { readonly folder: string; readonly password: string },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { ...process.env, EXPORT_PASSWORD: password }
  const child = spawn("bash", ["-c", lines], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  return { code, stdout, stderr }
}
