// A map with a limit: beyond it, the entries that were not used for the longest time are evicted, one by one.

/** Undefined stands for a missing entry, and must not be a value. */
export interface BoundedMap<Key, Value> {
  /** Counts as a use. */
  get(key: Key): Value | undefined
  /** Does not count as a use. */
  peek(key: Key): Value | undefined
  /** Counts as a use. The new entry stays even if it exceeds the limit on its own. */
  set(key: Key, value: Value): void
  delete(key: Key): boolean
  clear(): void
  /** The least recently used first. */
  values(): IterableIterator<Value>
  readonly size: number
  /** Of all entries together. */
  readonly weight: number
}

export interface BoundedMapOptions<Key, Value> {
  /** The share of an entry in the limit. It must not change while the entry is in the map. Absent: 1, so that the limit counts entries. */
  weigh?: (value: Value) => number
  /** Called for each entry that the limit removes, after its removal; not for one that is deleted or replaced. */
  onEvict?: (key: Key, value: Value) => void
}

export function createBoundedMap<Key, Value>(
  limit: number,
  { weigh = () => 1, onEvict }: BoundedMapOptions<Key, Value> = {},
): BoundedMap<Key, Value> {
  /** In the order of their last use: a map iterates in the order of insertion. */
  const entries = new Map<Key, Value>()
  let weight = 0

  function remove(key: Key): boolean {
    if (!entries.has(key)) return false
    weight -= weigh(entries.get(key) as Value)
    return entries.delete(key)
  }
  function evict(): void {
    for (const [key, value] of entries) {
      if (weight <= limit || entries.size === 1) return
      remove(key)
      onEvict?.(key, value)
    }
  }
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    peek: (key) => entries.get(key),
    set(key, value) {
      remove(key)
      entries.set(key, value)
      weight += weigh(value)
      evict()
    },
    delete: remove,
    clear() {
      entries.clear()
      weight = 0
    },
    values: () => entries.values(),
    get size() {
      return entries.size
    },
    get weight() {
      return weight
    },
  }
}
