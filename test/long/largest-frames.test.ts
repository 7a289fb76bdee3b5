// The largest frame for every field that a stranger can send: none costs the gateway more than a few times its size (promise B18).
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allCases } from '../soak/hostile/largest/cases.ts'
import { faultsIn, judgeAll, tableOf } from '../soak/hostile/largest/judge.ts'
import { engines } from '../support/engines.ts'

const SHOWN = 40
/** A file for the whole table. */
const TABLE = process.env.LARGEST_TABLE

test('no field of a message, stanza or history takes more than its share, however large it is', async (context) => {
  const [engine] = engines
  assert.ok(engine)
  const verdicts = await judgeAll({ engine, cases: allCases(), say: (line) => context.diagnostic(line) })
  const table = tableOf(verdicts)
  for (const line of table.slice(0, SHOWN)) context.diagnostic(line)
  if (TABLE !== undefined) await writeFile(TABLE, `${table.join('\n')}\n`)
  assert.deepEqual(faultsIn(verdicts), [])
})
