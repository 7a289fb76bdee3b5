// The largest frame for every field that a stranger can send: none costs the gateway more than a few times its size (promise B18). All cases
// take several minutes of two processors, so a run takes each kind of field and a random share of the others; `LARGEST_CASES=all` takes all.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { allCases, type LargeCase } from '../soak/hostile/largest/cases.ts'
import { faultsIn, judgeAll, tableOf } from '../soak/hostile/largest/judge.ts'
import { randomFrom } from '../soak/hostile/random.ts'
import { engines } from '../support/engines.ts'
import { seed } from '../support/random-seed.ts'

const SHOWN = 40
/** A file for the whole table. */
const TABLE = process.env.LARGEST_TABLE
const SHARE = process.env.LARGEST_CASES === 'all' ? 1 : 0.2

function chosenCases(): LargeCase[] {
  const random = randomFrom(seed)
  return allCases().filter(({ isRepresentative }) => isRepresentative || random.chance(SHARE))
}

test('no field of a message, stanza or history takes more than its share, however large it is', async (context) => {
  const [engine] = engines
  assert.ok(engine)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const verdicts = await judgeAll({ engine, cases: chosenCases(), say })
  const table = tableOf(verdicts)
  for (const line of table.slice(0, SHOWN)) context.diagnostic(line)
  if (TABLE !== undefined) await writeFile(TABLE, `${table.join('\n')}\n`)
  assert.deepEqual(faultsIn(verdicts), [])
})
