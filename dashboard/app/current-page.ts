// Which entry of the navigation stands for a location: the longest path that contains it, so that a page below another one is
// marked alone.
export const currentPath = (location: string, paths: readonly string[]): string | undefined =>
  paths
    .filter((path) => location === path || location.startsWith(`${path}/`))
    .toSorted((one, other) => other.length - one.length)[0]
