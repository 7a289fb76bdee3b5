// Splits a list over several statements, because engines limit the number of parameters of one.

const CHUNK_SIZE = 500

export function* chunksOf<T>(values: readonly T[]): Generator<T[]> {
  for (let from = 0; from < values.length; from += CHUNK_SIZE) yield values.slice(from, from + CHUNK_SIZE)
}
