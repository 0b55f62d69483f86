import { resolve } from "node:path"

/** Arguments of Node that compile a partner's program strictly, as it would be in any folder; its file follows. */
export const strictCompiler: readonly string[] = [
  resolve("node_modules/typescript/lib/tsc.js"),
  "--ignoreConfig",
  "--noEmit",
  "--strict",
  ...["--target", "esnext"],
  ...["--module", "nodenext"],
  ...["--types", "node"],
  ...["--typeRoots", resolve("node_modules/@types")],
]
