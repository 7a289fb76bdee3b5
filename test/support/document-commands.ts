// The shell commands of documents, and the mark that says which test runs them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ShellBlock {
  path: string
  line: number
  text: string
  /** The files that run it; undefined if the text says that no test does. */
  runBy: string[] | undefined
  isMarked: boolean
}

/** In the line above a block, unseen by readers. */
const RUN_BY = /^<!-- run by ([\w./ -]+) -->$/
/** In the line above a block, for readers to see. */
const NOT_RUN = /\(not run by a test\b[^)]*\)/

export function shellBlocks(path: string, text: string): ShellBlock[] {
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const before = text.slice(0, match.index).trimEnd()
    const mark = before.slice(before.lastIndexOf('\n') + 1).trim()
    const runBy = RUN_BY.exec(mark)?.[1]?.split(' ')
    return {
      path,
      line: text.slice(0, match.index).split('\n').length,
      text: match[1] ?? '',
      runBy,
      isMarked: runBy !== undefined || NOT_RUN.test(mark),
    }
  })
}

/** The words that name each command: those before its first option, without npm's own. */
export const commandWords = (text: string): string[][] =>
  text
    .replaceAll('\\\n', ' ')
    .split(/\n|&&|\|/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .trim()
        .split(/\s+/)
        .filter((word) => !/^\w+=/.test(word)),
    )
    .map((words) => {
      const end = words.findIndex((word) => word.startsWith('-') && word !== '--')
      return words.slice(0, end === -1 ? undefined : end).filter((word) => /^[a-z][a-z-]+$/.test(word))
    })
    .map((words) => words.filter((word) => !NPM_WORDS.has(word)))
    .filter((words) => words.length > 0)

const NPM_WORDS: ReadonlySet<string> = new Set(['npm', 'run', 'cli', 'export'])

export const documentedBlocks = (root: string): ShellBlock[] =>
  ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()].flatMap((path) =>
    shellBlocks(path, readFileSync(join(root, path), 'utf8')),
  )

/** These read the commands from the documents, so they need not contain them. */
const RUNNERS: ReadonlySet<string> = new Set([
  'test/docs.test.ts',
  'test/long/documented-commands.test.ts',
  'test/flow/first-event.test.ts',
])

/** `read` returns the text of a test, or undefined if there is no such file. */
export function markFaults(block: ShellBlock, read: (path: string) => string | undefined): string[] {
  const location = `${block.path}:${block.line}`
  if (!block.isMarked) return [`${location}: neither "run by" nor "not run by a test" in the line above`]
  const { runBy = [] } = block
  const missing = runBy.filter((path) => read(path) === undefined)
  if (missing.length > 0) return missing.map((path) => `${location}: there is no ${path}`)
  if (runBy.length === 0 || runBy.some((path) => RUNNERS.has(path))) return []
  const tests = runBy.map((path) => read(path)).join('\n')
  const unknown = commandWords(block.text)
    .flat()
    .filter((word) => !new RegExp(`\\b${word}\\b`).test(tests))
  return unknown.map((word) => `${location}: "${word}" is not in ${runBy.join(', ')}`)
}

/** All documents for readers, in every folder. */
export const documents = (root: string): string[] =>
  globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'extension/**/*.md'], {
    cwd: root,
    exclude: ['docs/decisions/**'],
  }).sort()

/** What zsh, the shell of macOS, does not run as bash does when lines are pasted: it reads a comment as words of the command. */
export function zshFaults({ path, line, text }: Pick<ShellBlock, 'path' | 'line' | 'text'>): string[] {
  const joined = text.replaceAll('\\\n', ' ')
  // A text in quotes or in the form of a document is one word.
  const unquoted = joined
    .replaceAll(/<<-?'?(\w+)'?\n[\s\S]*?\n\1$/gm, ' ')
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, 'x')
  const faults = unquoted.split('\n').flatMap((command): string[] => {
    if (/^\s*#/.test(command)) return []
    if (/\s#/.test(command)) return [`a comment behind a command: ${command.trim()}`]
    return /(^|\s)[^\s#]*[?*[]/.test(command) ? [`a pattern without quotes: ${command.trim()}`] : []
  })
  const comments = joined.split('\n').filter((command) => /^\s*#/.test(command))
  // zsh answers a comment with "command not found: #", which is harmless as long as it contains no syntax.
  const loud = comments.filter((comment) => /['"`;&|<>()$*?[\]{}!~=]/.test(comment))
  return [...faults, ...loud.map((comment) => `syntax in a comment: ${comment}`)].map(
    (fault) => `${path}:${line}: ${fault}`,
  )
}
