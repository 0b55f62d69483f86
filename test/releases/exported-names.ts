import { readFileSync } from "node:fs"

/** Returns the names that plugins can import, types included. */
export function exportedNames(): string[] {
  const lists = readFileSync("core/plugin.ts", "utf8").matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  return [...lists].flatMap(([, list = ""]) => list.split(","))
    .map((name) => name.replace(/\btype\b/, "").trim()).filter(Boolean).sort()
}
