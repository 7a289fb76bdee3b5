// The presence of a person is recorded at once, and then at most once per pause, with the latest value.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisesSettled } from '../../test/support/manual-time.ts'
import type { Presence } from '../contract/people.ts'
import { createPresenceReporter } from './presence.ts'

const change = (user: string, presence: Presence) => ({
  person: { jid: `${user}@s.whatsapp.net`, lid: null, phone: user, pushName: null },
  presence,
  lastSeenMs: null,
  atMs: 0,
})

function prepare(record?: () => Promise<void>) {
  const recorded: string[] = []
  const failures: unknown[] = []
  const pauses: (() => void)[] = []
  const reporter = createPresenceReporter(
    async ({ person, presence }) => {
      recorded.push(`${person.phone} ${presence}`)
      await record?.()
    },
    (error) => void failures.push(error),
    () => new Promise<void>((resolve) => void pauses.push(resolve)),
  )
  const endPauses = async () => {
    for (const end of pauses.splice(0)) end()
    await promisesSettled()
  }
  return { recorded, failures, reporter, endPauses }
}

test('the first change is recorded at once, then the latest one after each pause', async () => {
  const { recorded, reporter, endPauses } = prepare()
  for (const presence of ['typing', 'available', 'typing', 'recording'] as const)
    reporter.report(change('1', presence))
  reporter.report(change('2', 'available'))
  await promisesSettled()
  assert.deepEqual(recorded, ['1 typing', '2 available'])
  await endPauses()
  assert.deepEqual(recorded.slice(2), ['1 recording'])
  await endPauses()
  reporter.report(change('1', 'unavailable'))
  await promisesSettled()
  assert.deepEqual(recorded.slice(3), ['1 unavailable'])
})

test('a change that cannot be recorded does not stop the next one', async () => {
  const { recorded, failures, reporter, endPauses } = prepare(() => Promise.reject(new Error('full')))
  reporter.report(change('1', 'typing'))
  await promisesSettled()
  reporter.report(change('1', 'available'))
  await endPauses()
  assert.deepEqual([recorded.length, failures.length], [2, 2])
})
