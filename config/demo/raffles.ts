import type { Insertable } from "kysely"
import type { Schema } from "../../core/data/schema.ts"
import { itemRow, price } from "./item.ts"
import { choosePrize } from "./prizes.ts"
import type { Scene } from "./scene.ts"

/** Makes a prize draw. Each four in a row have both limits, either one, and none. */
export function raffle(scene: Scene, index: number): Insertable<Schema["raffle"]> {
  return draw(scene, { index, stream: "RAFFLE", title: "Prize draw" })
}

/** Makes a raffle with a licence. */
export function gliRaffle(scene: Scene, index: number): Insertable<Schema["gli_raffle"]> {
  const { event, random } = scene
  return {
    ...draw(scene, { index, stream: "GLI_RAFFLE", title: "Licensed raffle" }),
    licence_number: `GLI-2026-${random.digits("######")}`,
    regulator: event.regulator,
  }
}

function draw(
  scene: Scene,
  { index, stream, title }: { index: number; stream: string; title: string },
): Insertable<Schema["raffle"]> {
  const { name, ...prize } = choosePrize(scene)
  const limited = index % 2 === 0
  const timed = index % 4 < 2
  return {
    ...itemRow(scene, { name: `${title}: ${name}`, ...prize, stream, index }),
    ticket_price: price(scene, { from: 200, to: 2500, step: 100 }),
    max_tickets: limited ? scene.random.between(1, 20) * 100 : null,
    draws: timed ? scene.event.row.ends - 30 * 60 : null,
  }
}
