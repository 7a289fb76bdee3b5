// Tests that state one assumption each about the network library. A failure is one sentence: what has changed, and which file to mend.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type BareLibraryOptions, openBareLibrary } from './bare-library.ts'

const ROOT = join(import.meta.dirname, '../..')
const DRIVER = 'src/whatsapp'
/** Far more than any check needs, also on a busy machine. */
const LIMIT_MS = 30_000

type Outcome = boolean | Promise<boolean>

/** `file` is a path in the folder of the driver. */
export function assume(sentence: string, file: string, check: () => Outcome): void {
  test(sentence, async () => {
    assert.ok(existsSync(join(ROOT, DRIVER, file)), `${file} is named here, but does not exist`)
    const late = setTimeout(LIMIT_MS, new Error('nothing happened'), { ref: false })
    const outcome = await Promise.race([Promise.try(check), late]).catch((error: unknown) => error)
    if (outcome === true) return
    const detail = outcome instanceof Error ? ` (${outcome.message})` : ''
    assert.fail(`No longer true of the network library: ${sentence}${detail}; mend ${DRIVER}/${file}`)
  })
}

type Connection = Awaited<ReturnType<typeof openBareLibrary>>

/** As `assume`, on a connection of its own. */
export const assumeConnected = (
  sentence: string,
  file: string,
  check: (connection: Connection) => Outcome,
  options: BareLibraryOptions = {},
): void =>
  assume(sentence, file, async () => {
    const connection = await openBareLibrary(options)
    try {
      return await check(connection)
    } finally {
      await connection.close()
    }
  })
