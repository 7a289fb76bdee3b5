import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Stage, stopInStages } from './stop-in-stages.ts'

const never = (): Promise<never> => new Promise(() => undefined)

async function run(stages: Stage[]): Promise<{ part: unknown; text: string }[]> {
  const warnings: { part: unknown; text: string }[] = []
  await stopInStages(stages, {
    warn: (fields, text) => void warnings.push({ part: (fields as { part: unknown }).part, text }),
  })
  return warnings
}

test('stages run one after the other; the parts of a stage stop at the same time', async () => {
  const order: string[] = []
  const part = (name: string) => async () => {
    order.push(`${name} begins`)
    await Promise.resolve()
    order.push(`${name} ends`)
  }
  const first = { limitMs: 60_000, parts: { a: part('a'), b: part('b') } }
  const warnings = await run([first, { limitMs: 60_000, parts: { c: part('c') } }])
  assert.deepEqual(order, ['a begins', 'b begins', 'a ends', 'b ends', 'c begins', 'c ends'])
  assert.deepEqual(warnings, [])
})

test('a part that hangs or fails is logged by name, and the next stage still runs', async () => {
  let reached = false
  const failing = () => Promise.reject(new Error('failed'))
  const warnings = await run([
    { limitMs: 10, parts: { hanging: never, failing } },
    { limitMs: 10, parts: { last: async () => void (reached = true) } },
  ])
  assert.equal(reached, true)
  assert.deepEqual(warnings, [
    { part: 'failing', text: 'did not stop cleanly' },
    { part: 'hanging', text: 'did not stop in time; abandoned' },
  ])
})
