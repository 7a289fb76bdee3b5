// How a user calls this program, which depends on how it was installed.

/** The first match counts: npx installs packages in a folder `_npx` of its cache. */
const INSTALLED: readonly (readonly [RegExp, string])[] = [
  [/[\\/]_npx[\\/]/, 'npx switchboard-gateway'],
  [/[\\/]node_modules[\\/]/, 'switchboard'],
]

/** The command line with these words, as the user would type it. `directory` is that of the program. */
export function commandLine(words: string, directory = import.meta.dirname): string {
  const [, command = 'npm run cli --'] =
    INSTALLED.find(([directoryPattern]) => directoryPattern.test(directory)) ?? []
  return `${command} ${words}`
}
