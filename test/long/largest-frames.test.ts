// The largest frame of a field costs a bounded amount of time, memory and store, and what is cut says so (decision 0188). `npm run soak --
// --largest` sends all of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allCases } from '../soak/hostile/largest/cases.ts'
import { faultsIn, judgeAll, tableOf } from '../soak/hostile/largest/judge.ts'
import { randomFrom } from '../soak/hostile/random.ts'
import { behaviourEngines, isLong } from '../support/behaviour-engines.ts'

/** The same cases in every run: `npm run soak -- --largest` is what looks for others. */
const SEED = Number(process.env.LARGEST_SEED ?? 155285)
/** Of the cases that stand for all; the long run has all of these, and some of the others. */
const SHARE = 0.1
const SHARE_OF_OTHERS = 0.03

for (const engine of behaviourEngines())
  describe(`the largest frames on ${engine.name}`, () => {
    test('cost no more than they may, whatever field is large', async (context) => {
      const say = (line: string) => context.diagnostic(line)
      const random = randomFrom(SEED)
      say(`LARGEST_SEED=${SEED}`)
      const cases = allCases().filter(({ isRepresentative }) =>
        isRepresentative ? isLong || random.chance(SHARE) : isLong && random.chance(SHARE_OF_OTHERS),
      )
      const verdicts = await judgeAll({ engine, cases, patience: 5, say })
      for (const line of tableOf(verdicts).slice(0, 10)) say(line)
      assert.deepEqual(faultsIn(verdicts), [])
    })
  })
