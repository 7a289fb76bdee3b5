// Phone numbers in a text that a person typed or pasted.

/** Separated by commas, semicolons or lines. The API checks each number. */
export const numbersIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]+/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]
