// Where the files of the program are. It runs from its sources (.ts), or from the bundle that `npm start` builds (.js).
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A path below the directory of the program, such as its migrations. */
export function programPath(...parts: string[]): string {
  let directory = import.meta.dirname
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory)
  return join(directory, ...parts)
}

/**
 * The first file of a thread or a process. `source` is its path from the file that starts it, whose `import.meta.url` is given;
 * `bundled` is its name among the entries of scripts/server-bundle.ts, which lie in one directory.
 */
export const programEntry = (from: string, source: string, bundled: string): URL =>
  new URL(from.endsWith('.ts') ? source : `./${bundled}.js`, from)
