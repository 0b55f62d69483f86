/** Some that are alike: one at least. */
export type Alike<Item> = readonly [Item, ...Item[]]

/** Returns what has the same key together, in the order of the first ones. */
export function groupsOf<Item>(items: readonly Item[], key: (item: Item) => string) {
  return [...Map.groupBy(items, key).values()] as unknown as readonly Alike<Item>[]
}
