// The npm package of the TypeScript client, built as `npm run pack:client` builds it and installed into a folder of its own.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './client-programs.ts'
import { temporaryDirectory } from './engines.ts'

const run = promisify(execFile)

/** Returns the folder in which `switchboard-client` can be imported. */
export async function installClient(): Promise<string> {
  const folder = await temporaryDirectory()
  await run('npm', ['run', 'pack:client'], { cwd: root })
  const directory = join(root, 'clients/typescript')
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
    version: string
  }
  const tarball = join(directory, `dist/switchboard-client-${version}.tgz`)
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, tarball], {
    cwd: folder,
  })
  return folder
}
