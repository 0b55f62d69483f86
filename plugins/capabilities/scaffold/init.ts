import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Command } from "commander"
import { Document, parseDocument, type Scalar, YAMLMap, YAMLSeq } from "yaml"
import { UserError } from "../../../core/capability.ts"
import { configName, createSecretFile, ownConfig, type Terminal } from "../../../core/commands.ts"
import { pluginFolder } from "../../../core/inspection.ts"

/** `init`: writes a commented configuration and a session secret. */
export function initCommand(terminal: Terminal): Command {
  return new Command("init")
    .description("write a configuration with comments, and a session secret")
    .argument("[folder]", "where to write them", ".")
    .action((folder: string) => {
      writeFiles(folder)
      terminal.print(nextSteps(folder))
    })
}

const secretName = "session-secret"

/** Writes both files or neither. Never overwrites files. @throws {UserError} */
function writeFiles(folder: string): void {
  const [config, secret] = [join(folder, configName), join(folder, secretName)]
  const existing = [config, secret].find(existsSync)
  if (existing !== undefined) {
    throw new UserError(`Cannot write ${existing}: it already exists. Nothing was written.`)
  }
  const text = initialConfig()
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(config, text, { flag: "wx" })
    if (createSecretFile(secret)) return
    rmSync(config)
    throw new Error(`${secret} already exists`)
  } catch (error) {
    throw new UserError(`Cannot set up ${folder}: ${(error as Error).message}.`)
  }
}

/** Capabilities and groups that only the demonstration needs at first, each with an example. */
const demonstrated = { demonstration: "", connect: "connect:\n  mapping: platform.yaml" }

/**
 * Returns the configuration that comes with the program, without its demonstration: with the embedded database and the
 * secret beside it, and the partners' families as examples in a comment.
 */
function initialConfig(): string {
  const document = parseDocument(readFileSync(ownConfig, "utf8"))
  // The first two paragraphs are about the file in the repository.
  const [, , ...about] = document.commentBefore?.split("\n \n") ?? []
  document.commentBefore = [
    " The configuration of event-export, as `event-export init` has written it.",
    ...about,
    " Editors check this file if it begins with the next line, after\n" +
    " `event-export schema > event-export.schema.json`:\n" +
    "   yaml-language-server: $schema=./event-export.schema.json",
  ].join("\n \n")
  for (const [name, example] of Object.entries(demonstrated)) commentOut(document, name, example)
  document.setIn(["ping", "loopback"], false)
  const capabilities = document.get("capabilities") as YAMLSeq<Scalar>
  capabilities.items = capabilities.items.filter(({ value }) => !(String(value) in demonstrated))
  capabilities.comment =
    " Records from your own database or files, with the group `connect`.\n - connect"
  const server = document.get("server") as YAMLMap<Scalar, Scalar>
  const contact = server.items.pop()
  server.comment = `${contact?.key.commentBefore}\n contact: partners@example.org`
  document.setIn(["database", "url"], "${DATABASE_URL:-sqlite:event-export.db}")
  const secrets = new YAMLSeq()
  secrets.add(document.createNode({ file: `\${CREDENTIALS_DIRECTORY:-.}/${secretName}` }))
  secrets.commentBefore =
    " Beside this file, or where systemd and containers put secrets: they set CREDENTIALS_DIRECTORY."
  document.setIn(["session", "secrets"], secrets)
  commentFamilies(document.get("plugins") as YAMLSeq)
  return document.toString({ lineWidth: 0 })
}

/** Removes a group. Puts its comment and an example before the next group, as a comment. */
function commentOut(document: Document, name: string, example: string): void {
  const { items } = document.contents as YAMLMap<Scalar>
  const at = items.findIndex(({ key }) => key.value === name)
  const [group] = items.splice(at, 1)
  const next = items[at]?.key
  if (!example || !group || !next) return
  const lines = example.split("\n").map((line) => ` ${line}`)
  next.commentBefore = [group.key.commentBefore, " ", ...lines, "", next.commentBefore].join("\n")
}

/** Turns the families of the demonstration's partners into a comment. */
function commentFamilies(plugins: YAMLSeq): void {
  const isFamily = (item: unknown) =>
    item instanceof YAMLMap && existsSync(join(pluginFolder, "families", String(item.get("use"))))
  const [families, others] = [true, false].map((wanted) =>
    plugins.items.filter((item) => isFamily(item) === wanted)
  )
  const examples = new Document()
  examples.contents = Object.assign(new YAMLSeq(), { items: families })
  const text = examples.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd()
  plugins.items = others ?? []
  plugins.comment =
    " Families of endpoints for partners. To use one, remove the first # of its lines, change the names, and\n" +
    ` see \`event-export account add\` and \`event-export access grant\`.\n\n${text}`
}

function nextSteps(folder: string): string {
  const steps = [
    ...folder === "." ? [] : [`cd ${folder}`],
    "event-export migrate                          # creates the tables; DATABASE_URL names another database",
    "event-export account add NAME --role operator # asks for a password; log in at /console with it",
    "event-export check",
    "event-export serve",
  ]
  return [
    `Wrote ${join(folder, configName)} and ${join(folder, secretName)}.`,
    "Next:",
    ...steps.map((step) => `  ${step}`),
    `The comments in ${configName} say how to serve partners.`,
  ].join("\n")
}
