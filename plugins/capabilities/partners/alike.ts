/** Items with the same key: at least one. */
export type Alike<Item> = readonly [Item, ...Item[]]

/** Groups items by key, in the order in which each key first occurs. */
export function groupsOf<Item>(items: readonly Item[], key: (item: Item) => string) {
  return [...Map.groupBy(items, key).values()] as unknown as readonly Alike<Item>[]
}
