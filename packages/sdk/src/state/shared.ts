// Variants of filter, map and spread that return the same object if nothing changes, so that
// clients can compare by identity.

export function keepOnly<Item>(list: Item[], isKept: (item: Item) => boolean): Item[] {
  const kept = list.filter(isKept)
  return kept.length === list.length ? list : kept
}

export function changeEach<Item>(list: Item[], change: (item: Item) => Item): Item[] {
  const changed = list.map(change)
  return changed.every((item, index) => item === list[index]) ? list : changed
}

export function withFields<Item extends object>(item: Item, fields: Partial<Item>): Item {
  const isSame = Object.entries(fields).every(([name, value]) => item[name as keyof Item] === value)
  return isSame ? item : { ...item, ...fields }
}
