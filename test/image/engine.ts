// A container engine for the test of the image: the one that runs on this machine, or one of its own where its programs are installed.
import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const root = join(import.meta.dirname, '..', '..')
/** The image that the Dockerfile names, with its digest. */
const BASE = /^ARG NODE_IMAGE=(\S+)/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1] ?? ''
const STAND_IN = 'switchboard-base:test'

export interface Engine {
  /** Runs docker; throws with its output if it fails. */
  docker(...words: string[]): string
  stop(): Promise<void>
}

const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0

/** A text says why there is none. */
export async function findEngine(): Promise<Engine | string> {
  if (!isInstalled('docker')) return 'docker is not installed'
  if (spawnSync('docker', ['info']).status === 0) return { docker: dockerAt([]), stop: async () => undefined }
  if (process.getuid?.() !== 0 || !isInstalled('dockerd')) return 'no engine runs, and none can be started'
  return startEngine()
}

async function startEngine(): Promise<Engine | string> {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-engine-'))
  const address = `unix://${directory}/socket`
  const options = ['--iptables=false', '--ip6tables=false', '--bridge=none', '--storage-driver=overlay2']
  const directories = ['--data-root', join(directory, 'data'), '--exec-root', join(directory, 'run')]
  const pidfile = ['--pidfile', join(directory, 'pid')]
  const child = spawn('dockerd', ['-H', address, ...directories, ...pidfile, ...options], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    // A container that was not removed leaves mounts behind.
    for (const [path] of readFileSync('/proc/mounts', 'utf8').matchAll(/(?<= )\/\S+(?= )/g))
      if (path.startsWith(directory)) spawnSync('umount', ['--lazy', path])
    rmSync(directory, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    if (spawnSync('docker', ['-H', address, 'info']).status === 0)
      return { docker: dockerAt(['-H', address]), stop }
    await setTimeout(200)
  }
  await stop()
  return 'dockerd does not start here'
}

const dockerAt =
  (where: string[]) =>
  (...words: string[]): string => {
    const result: SpawnSyncReturns<string> = spawnSync('docker', [...where, ...words], {
      encoding: 'utf8',
      maxBuffer: 1e8,
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
    })
    if (result.status === 0) return result.stdout.trim()
    throw new Error(`docker ${words.join(' ')}: ${result.stdout.slice(-3000)}${result.stderr.slice(-3000)}`)
  }

/** Makes a base image available, and returns its name. Undefined: it can neither be pulled nor made. */
export function prepareBase({ docker }: Engine): string | undefined {
  try {
    docker('pull', BASE)
    return BASE
  } catch {
    if (docker('images', '--quiet', STAND_IN) !== '') return STAND_IN
    if (process.getuid?.() !== 0 || !isInstalled('debootstrap')) return undefined
  }
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-base-'))
  try {
    makeBase(directory)
    execFileSync('sh', ['-c', `tar -C ${directory} -c . > ${directory}.tar`])
    docker('import', '--change', 'ENV NODE_VERSION=26', `${directory}.tar`, STAND_IN)
  } finally {
    rmSync(directory, { recursive: true, force: true })
    rmSync(`${directory}.tar`, { force: true })
  }
  return STAND_IN
}

/** A stand-in for tests where images cannot be pulled: the same Debian with the same Node. It is never shipped. */
function makeBase(directory: string): void {
  const wanted = '--include=ca-certificates,libstdc++6,libatomic1'
  execFileSync('debootstrap', ['--variant=minbase', wanted, 'bookworm', directory], { stdio: 'ignore' })
  for (const path of [
    'usr/share/doc',
    'usr/share/man',
    'usr/share/locale',
    'var/cache/apt',
    'var/lib/apt/lists',
  ])
    rmSync(join(directory, path), { recursive: true, force: true })
  cpSync(process.execPath, join(directory, 'usr/local/bin/node'))
  // Set by npm, which runs this test.
  const npm = join(process.env.npm_execpath ?? '', '..', '..')
  mkdirSync(join(directory, 'usr/local/lib/node_modules'), { recursive: true })
  cpSync(npm, join(directory, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true })
  for (const [name, file] of [
    ['npm', 'npm-cli.js'],
    ['npx', 'npx-cli.js'],
  ] as const)
    symlinkSync(`../lib/node_modules/npm/bin/${file}`, join(directory, 'usr/local/bin', name))
  execFileSync('chroot', [directory, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node'])
  // npm in the image reaches its registry as npm here does.
  const authorities = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt'
  cpSync(authorities, join(directory, 'etc/ssl/certs/ca-certificates.crt'))
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: root }).trim()
  const lines = [`registry=${registry}`, 'cafile=/etc/ssl/certs/ca-certificates.crt', '']
  writeFileSync(join(directory, 'root/.npmrc'), lines.join('\n'))
}
