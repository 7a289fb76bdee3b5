// The licence texts of the packages whose code is in a bundle. Their licences ask for the text to go with every copy.
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Description {
  name: string
  version: string
  license?: string
}

/** `sources` are the files of the bundle. Ours are under the licence of the project. */
export async function licencesOf(root: string, sources: readonly string[]): Promise<string> {
  const parts: string[] = []
  for (const directory of packagesOf(root, sources)) {
    const text = await readFile(join(directory, 'package.json'), 'utf8')
    const { name, version, license = 'not named' } = JSON.parse(text) as Description
    const notices = await Promise.all(licenceFiles(directory).map((file) => readFile(file, 'utf8')))
    parts.push([`${name} ${version} (${license})`, ...notices.map((notice) => notice.trim())].join('\n\n'))
  }
  return `${parts.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`
}

/** The directories of the packages, each once, in the order of their paths. */
export function packagesOf(root: string, sources: readonly string[]): string[] {
  const found = sources.flatMap(
    (source) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
  )
  return [...new Set(found)].filter((path) => path.startsWith(join(root, 'node_modules'))).toSorted()
}

const licenceFiles = (directory: string): string[] =>
  globSync(['LICEN[CS]E*', 'licen[cs]e*', 'COPYING*', 'NOTICE*'], { cwd: directory })
    .toSorted()
    .map((file) => join(directory, file))
