// The figure that counts of several rounds: one hiccup of the machine says nothing.
export const middle = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
