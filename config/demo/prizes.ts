import { homeOf } from "./places.ts"
import type { Scene } from "./scene.ts"

/** A prize to sell, auction or raffle. */
export interface Prize {
  readonly name: string
  readonly description: string
  readonly categories: readonly string[]
}

const prizes: readonly Prize[] = [
  prize("Weekend for two in {city}", "Two nights with breakfast.", "Travel", "Experiences"),
  prize("A week in a house by the sea, {city}", "Sleeps eight.", "Travel"),
  prize("Sleeper train to Tromsø", "A cabin for two, and the northern lights.", "Travel"),
  prize("Chef’s table for eight", "Seven courses in your own kitchen.", "Dining", "Experiences"),
  prize("Crème brûlée masterclass", "An afternoon with a pâtissier.", "Dining"),
  prize("Case of Grüner Veltliner", "Twelve bottles from a family vineyard.", "Wine"),
  prize("Rare single malt", "A cask sample, bottled for tonight.", "Wine"),
  prize("Afternoon tea for six", "With sandwiches, scones and a string trio.", "Dining"),
  prize("Hot-air balloon flight", "At sunrise, for two, weather permitting.", "Experiences"),
  prize("A day at the races", "A box for ten, lunch included.", "Sport", "Experiences"),
  prize("Signed match ball", "Signed by the whole team.", "Sport", "Memorabilia"),
  prize("Season tickets", "Two seats on the halfway line.", "Sport"),
  prize("Round of golf for four", "On a links course, with caddies.", "Sport"),
  prize("Oil painting “Harbour at Dusk”", "Oil on canvas, 60 × 90 cm, framed.", "Art"),
  prize("Calligraphy lesson 書道", "Brush, ink and paper are provided.", "Art", "Experiences"),
  prize("Portrait sitting", "One person or one dog, in charcoal.", "Art"),
  prize("Hand-thrown tea bowl", "Stoneware with an ash glaze.", "Art"),
  prize("Private museum tour", "After hours, for twelve.", "Experiences"),
  prize("Silver pendant", "Made in {city}, on an 18-inch chain.", "Jewellery"),
  prize("A pair of pearl earrings", "Freshwater pearls on gold.", "Jewellery"),
  prize("Name a lifeboat engine", "A brass plate, and tea with the crew.", "Experiences"),
  prize("Vegetable box for a year", "Delivered weekly.", "Home"),
  prize("Garden designed for you", "A survey, a plan and fifty bulbs.", "Home"),
  prize("Handwoven blanket", "Lambswool, 140 × 200 cm.", "Home"),
  prize("Mystery envelope", "It may be anything at all."),
]

function prize(name: string, description: string, ...categories: string[]): Prize {
  return { name, description, categories }
}

/** Chooses a prize. Some take place in a town of the event's country. */
export function choosePrize({ event, random }: Scene): Prize {
  const { name, description, categories } = random.pick(prizes)
  const { towns } = homeOf(event)
  const withCity = (text: string) => text.replace("{city}", () => random.pick(towns))
  return { name: withCity(name), description: withCity(description), categories }
}
