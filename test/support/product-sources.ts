// The files of the project, and which of them use something that only others may use.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Source, withoutComments } from './imports.ts'

const root = join(import.meta.dirname, '../..')

export const sources = (...patterns: string[]): Source[] =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => ({
      path: file.split(sep).join('/'),
      text: readFileSync(join(root, file), 'utf8'),
    }))

export const isTest = ({ path }: Source): boolean => path.endsWith('.test.ts')

export const productSources = (): Source[] =>
  sources('src/**/*.ts', 'sandbox/**/*.ts', 'dashboard/**/*.{ts,tsx}').filter((source) => !isTest(source))

/** Files whose code matches although they are not allowed to. */
export const usesIn = (files: readonly Source[], pattern: RegExp, allowed: readonly string[]): string[] =>
  files
    .filter(({ path }) => !allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)))
    .filter(({ text }) => pattern.test(withoutComments(text)))
    .map(({ path }) => path)
