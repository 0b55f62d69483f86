import { version } from "../../../core/capability.ts"

/** Returns the files of a package that has a family as its plugin, by their names. */
export function packageFiles(name: string): Readonly<Record<string, string>> {
  return {
    "package.json": `${JSON.stringify(manifest(name), null, 2)}\n`,
    "tsconfig.json": `${JSON.stringify(compilation, null, 2)}\n`,
    "plugin.ts": pluginText(name, "event-export/plugin"),
    "plugin.test.ts": testText(name),
    "README.md": readme(name),
    ".gitignore": "node_modules/\ndist/\n",
  }
}

/** Returns the code of a family of lean guests and items. */
export function pluginText(name: string, contract: string): string {
  const isPackage = !contract.startsWith(".")
  const imports = [
    ...["definePlugin", "family", "granted", "leanEvent", "leanGuest", "leanItems"],
    ...["pathSegment", "slug", ...isPackage ? ["v"] : []],
  ]
  return outdent(`
    ${isPackage ? "" : 'import * as v from "valibot"\n    '}import {
      ${imports.map((each) => `${each},`).join("\n      ")}
    } from "${contract}"

    /** Lean guests and items. */
    export default definePlugin({
      apiVersion: 3,
      name: "${name}",
      summary: "Lean guests and items",
      settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
      mount: ({ segment, organizations }) =>
        family(\`/\${segment}/v1\`, {
          auth: granted(organizations),
          events: leanEvent,
          guests: leanGuest,
          items: leanItems,
        }),
    })`)
}

/** Removes the first line break and the indentation. Ends with a line break. */
export function outdent(text: string): string {
  return `${text.slice(1).replace(/^ {4}/gm, "")}\n`
}

/** The file that `npm pack` makes of this version of the service. */
export const packageOfService = `event-export-${version}.tgz`

function manifest(name: string) {
  return {
    name,
    version: "0.1.0",
    description: "A family of endpoints for event-export",
    type: "module",
    exports: { ".": { types: "./dist/plugin.d.ts", default: "./dist/plugin.js" } },
    files: ["dist"],
    scripts: { build: "tsc", test: "node --test", prepack: "npm run build" },
    peerDependencies: { "event-export": `^${version}` },
    devDependencies: { "@types/node": "26.6.6", typescript: "7.0.2" },
  }
}

const compilation = {
  compilerOptions: {
    target: "esnext",
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    outDir: "dist",
  },
  files: ["plugin.ts"],
}

function testText(name: string): string {
  return outdent(`
    import assert from "node:assert/strict"
    import { test } from "node:test"
    import { conformanceProblems } from "event-export/conformance"
    import plugin from "./plugin.ts"

    test("${name} conforms", async () => {
      const settings = { segment: "${name}", organizations: ["north"] }
      assert.deepEqual(await conformanceProblems(plugin, settings), [])
    })`)
}

function readme(name: string): string {
  return outdent(`
    # ${name}

    A family of endpoints for event-export.

    event-export is a peer dependency that no registry has: \`npm install --no-save ./${packageOfService}\`
    installs it from its file, with the rest. \`npm test\` checks the plugin against its contract.

    \`npm pack\` compiles it first: Node.js runs no TypeScript under \`node_modules\`. Install the package in the folder of
    the configuration, beside event-export, and turn it on there:

    \`\`\`yaml
    plugins:
      - use: ${name}
        with:
          segment: ${name}
          organizations: [the-organizations-that-want-it]
    \`\`\`

    The plugin imports only \`event-export/plugin\` when it runs. \`node_modules/event-export/dist/plugins/README.md\`
    describes what is in it.`)
}
