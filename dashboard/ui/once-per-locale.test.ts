import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oncePerLocale } from './once-per-locale.ts'

test('each locale is made once, so that a thousand messages share their formats', () => {
  const made: string[] = []
  const formatOf = oncePerLocale((locale) => {
    made.push(locale)
    return { locale }
  })
  assert.equal(formatOf('pt'), formatOf('pt'))
  assert.equal(formatOf('en').locale, 'en')
  assert.deepEqual(made, ['pt', 'en'])
})
