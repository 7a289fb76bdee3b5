// Lints and builds the package with n8n's own tools: `node integrations/n8n/build.mts`. They are installed in a folder outside of the
// repository (`N8N_TOOLS` names one to keep), because they are large and no part of the gateway. The result is integrations/n8n/dist.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const PACKAGE = import.meta.dirname
const PARTS = ['credentials', 'icons', 'nodes', 'eslint.config.mjs', 'tsconfig.json', 'README.md', 'LICENSE']

/** The one of n8n 1.123, which `try.ts` runs. The package itself takes that of the n8n that loads it. */
const N8N_WORKFLOW = '1.120.31'

/** Only templates of the tools for language models use it, and it needs some hundred packages. */
const UNUSED = '@n8n/ai-node-sdk'

export async function run(command: string, args: string[], directory: string): Promise<void> {
  const child = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  child.on('error', () => undefined)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')}\n${output}${errors}`)
}

async function installTools(folder: string): Promise<void> {
  if (existsSync(join(folder, 'node_modules/.bin/n8n-node'))) return
  const { devDependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  await mkdir(join(folder, 'unused'), { recursive: true })
  await writeFile(join(folder, 'unused/package.json'), JSON.stringify({ name: UNUSED, version: '0.0.0' }))
  const tools = {
    private: true,
    overrides: { [UNUSED]: 'file:./unused' },
    devDependencies: { ...devDependencies, 'n8n-workflow': N8N_WORKFLOW },
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(tools))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder)
}

export async function build(): Promise<void> {
  const kept = process.env['N8N_TOOLS']
  const tools = kept ?? (await mkdtemp(join(tmpdir(), 'n8n-tools-')))
  // Below the tools, so that its programs find them.
  const copy = join(tools, 'package')
  try {
    await installTools(tools)
    await rm(copy, { recursive: true, force: true })
    for (const part of [...PARTS, 'package.json'])
      await cp(join(PACKAGE, part), join(copy, part), { recursive: true })
    // It tells our own tools that the sources are modules. The linter would take it for the package.
    await rm(join(copy, 'nodes/package.json'))
    const program = join(tools, 'node_modules/.bin/n8n-node')
    await run(program, ['lint'], copy)
    await run(program, ['build'], copy)
    await rm(join(PACKAGE, 'dist'), { recursive: true, force: true })
    await cp(join(copy, 'dist'), join(PACKAGE, 'dist'), { recursive: true })
  } finally {
    if (kept === undefined) await rm(tools, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await build()
  console.log('Linted and built: integrations/n8n/dist')
}
