// Random values that follow from a seed, so that a run can be repeated.

export interface Random {
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(choices: readonly T[]): T
  bytes(length: number): Buffer
}

/** Mulberry32: 32 bits of state are enough to choose frames, and it needs no package. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (share) => next() < share,
    pick: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
