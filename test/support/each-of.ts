// Work on many items, a few of them at the same time.
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const [index, item] of queue) await work(item, index)
    }),
  )
}
