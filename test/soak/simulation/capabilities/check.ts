import { join } from "node:path"
import { runCommand } from "../command.ts"
import { Configuration } from "../configuration.ts"
import { edits, mistakes } from "../operators/edits.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import type { Random } from "../../../support/random.ts"

/** Operators who check a draft of the file: `check` takes what a service would take, and nothing else. */
export default function simulate(world: World): Simulation {
  let sequence = 0

  async function check(random: Random): Promise<string> {
    const draft = new Configuration(join(world.folder, `draft-${++sequence}.yaml`))
    const edit = random.pick(edits)
    edit.change(draft, random)
    const [mistake, spoil] = random.pick(Object.entries(mistakes))
    const isGood = random.below(2) === 0
    if (!isGood) draft.spoil(spoil)
    const { code, err } = await runCommand(world, ["check", "--config", draft.file])
    // While it is off, there is no such command; a database that is busy is trouble as well.
    const isTold = /unknown command|locked|full/.test(err)
    if ((code === 0) !== isGood && !isTold) {
      throw new Violation(`check of ${isGood ? edit.name : mistake} ends with ${code}: ${err}`)
    }
    return `${isGood ? edit.name : mistake}: ${code} ${err.split("\n")[0]}`
  }

  return { steps: [{ name: "an operator checks a draft", weight: 0.2, run: check }] }
}
