// The text that a search for contacts covers.

export const searchText = (parts: readonly (string | null)[]): string =>
  parts
    .filter((part) => part !== null)
    .join('\n')
    .toLowerCase()
