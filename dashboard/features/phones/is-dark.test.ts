import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDark } from './is-dark.ts'

test('dark colours need white text, light ones black text', () => {
  for (const color of ['#000000', '#1f6f54', '#0000ff', '#757575']) assert.equal(isDark(color), true, color)
  for (const color of ['#ffffff', '#ffee88', '#00ff00', '#767676']) assert.equal(isDark(color), false, color)
})
