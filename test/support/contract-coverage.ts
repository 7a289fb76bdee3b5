// What the contract tests have seen of the API. Each process of the suite writes its part to a directory, which the last suite reads.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Coverage {
  /** The endpoints that have contract tests, as `GET /path`. */
  declared: Set<string>
  /** The statuses and reasons that were returned, as `sendText 400 invalid_request`. */
  seen: Set<string>
}

const DIRECTORY = process.env.CONTRACT_COVERAGE

/** The part of this process. It is written when the process ends; without a directory it is not kept. */
export const coverage: Coverage = { declared: new Set(), seen: new Set() }

if (DIRECTORY !== undefined)
  process.once('exit', () => {
    const lines = [
      ...[...coverage.declared].map((name) => `declared ${name}`),
      ...[...coverage.seen].map((name) => `seen ${name}`),
    ]
    writeFileSync(join(DIRECTORY, `${process.pid}.txt`), lines.join('\n'))
  })

/** The parts of all processes. */
export function readCoverage(): Coverage {
  if (DIRECTORY === undefined) throw new Error('CONTRACT_COVERAGE is not set: start this test with npm test')
  const lines = globSync(join(DIRECTORY, '*.txt')).flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const after = (word: string) =>
    new Set(lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1)))
  return { declared: after('declared'), seen: after('seen') }
}
