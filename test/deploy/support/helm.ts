// Helm for the tests of the chart: the one that TEST_HELM names, the one of a development package, or the one of this machine.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

const root = join(import.meta.dirname, '../../..')
const CHART = join(root, 'deploy/helm/switchboard')
/** It contains Helm 3.8 for Linux on x64, the oldest version that the chart supports. Other processors run it with QEMU. */
const ARCHIVE = join(root, 'node_modules/@aws-cdk/asset-kubectl-v20/lib/layer.zip')
const ENTRY = 'helm/helm'
const EMULATOR = 'qemu-x86_64-static'

export interface Helm {
  /** `values` are those that differ from the chart's own. */
  lint(values: object): SpawnSyncReturns<string>
  template(values: object): SpawnSyncReturns<string>
  remove(): void
}

const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0

/** A text says why there is none. */
export function findHelm(): Helm | string {
  if (process.env.TEST_HELM) return helmAt(() => [process.env.TEST_HELM as string])
  const isLinux = process.platform === 'linux'
  if (isLinux && process.arch === 'x64') return helmAt((directory) => [extract(directory)])
  if (isLinux && isInstalled(EMULATOR)) return helmAt((directory) => [EMULATOR, extract(directory)])
  if (isInstalled('helm')) return helmAt(() => ['helm'])
  return `no Helm: install it, set TEST_HELM, or install ${EMULATOR} (Linux)`
}

/** Its folder is created with the first call. */
function helmAt(commandIn: (directory: string) => string[]): Helm {
  let prepared: { directory: string; command: string[] } | undefined
  const prepare = () => {
    const directory = mkdtempSync(join(tmpdir(), 'switchboard-helm-'))
    return { directory, command: commandIn(directory) }
  }
  const run = (values: object, ...words: string[]): SpawnSyncReturns<string> => {
    const { directory, command } = (prepared ??= prepare())
    const [program = '', ...first] = command
    const file = join(directory, 'values.json')
    writeFileSync(file, JSON.stringify(values))
    // With a home of its own, plug-ins and settings of the user have no effect.
    const environment = { PATH: process.env.PATH, HOME: directory }
    const start = () =>
      spawnSync(program, [...first, ...words, '--values', file], { encoding: 'utf8', env: environment })
    // A crash of the emulator says nothing about the chart.
    const repeats = program === EMULATOR ? 3 : 0
    let ended = start()
    for (let again = 0; again < repeats && ended.signal; again += 1) ended = start()
    return ended
  }
  return {
    lint: (values) => run(values, 'lint', '--strict', CHART),
    template: (values) => run(values, 'template', 'example', CHART),
    remove: () => prepared && rmSync(prepared.directory, { recursive: true, force: true }),
  }
}

function extract(directory: string): string {
  const path = join(directory, 'helm')
  writeFileSync(path, entryOf(readFileSync(ARCHIVE), ENTRY), { mode: 0o755 })
  return path
}

/** Signatures of the parts of a zip archive, and where their fields are. */
const DIRECTORY_END = 0x06054b50
const DIRECTORY_SIZE = 46
const FILE_SIZE = 30

/** The content of a compressed file in a zip archive without a comment at its end. */
function entryOf(archive: Buffer, name: string): Buffer {
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== DIRECTORY_END) throw new Error(`${ARCHIVE} is not a plain zip archive`)
  let at = archive.readUInt32LE(end + 16)
  while (at < end) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      archive.readUInt16LE(at + offset),
    ) as [number, number, number]
    const found = archive.toString('utf8', at + DIRECTORY_SIZE, at + DIRECTORY_SIZE + nameLength)
    if (found === name) {
      const file = archive.readUInt32LE(at + 42)
      const start = file + FILE_SIZE + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28)
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)))
    }
    at += DIRECTORY_SIZE + nameLength + extraLength + commentLength
  }
  throw new Error(`${ARCHIVE} contains no ${name}`)
}
