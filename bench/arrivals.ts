// Messages that have reached a process, each with the time of its first arrival.

/** Milliseconds on a clock that all processes of a machine share, finer than `Date.now`. */
export const now = (): number => performance.timeOrigin + performance.now()

/** The id of a message and the time of its arrival. */
export type Arrival = [id: string, at: number]

export interface Expected {
  count: number
  withinMs: number
}

export class Arrivals {
  #first = new Map<string, number>()
  #check: (() => void) | undefined

  add(id: string): void {
    if (!this.#first.has(id)) this.#first.set(id, now())
    this.#check?.()
  }

  async reset(): Promise<void> {
    this.#first.clear()
  }

  /** Resolves when this many different messages have arrived; fails after `withinMs`. */
  async take({ count, withinMs }: Expected): Promise<Arrival[]> {
    const complete = Promise.withResolvers<void>()
    const late = setTimeout(() => {
      complete.reject(new Error(`${this.#first.size} of ${count} messages arrived within ${withinMs} ms`))
    }, withinMs)
    this.#check = () => {
      if (this.#first.size >= count) complete.resolve()
    }
    this.#check()
    try {
      await complete.promise
      return [...this.#first]
    } finally {
      clearTimeout(late)
      this.#check = undefined
    }
  }
}
