import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeColor, nextLabelId } from './rules-new-label.ts'

const label = (label_id: string, color = 0, deleted = 0) => ({ label_id, color, deleted })

test('the id follows the highest one, deleted labels included', () => {
  assert.equal(nextLabelId([]), '1')
  assert.equal(nextLabelId([label('2'), label('10', 0, 1), label('9')]), '11')
})

test('ids that are not numbers do not count', () => {
  assert.equal(nextLabelId([label('abc'), label('99999999999999999999'), label('3')]), '4')
})

test('the colour is the first that no label has', () => {
  assert.equal(freeColor([]), 0)
  assert.equal(freeColor([label('1', 0), label('2', 1), label('3', 2, 1)]), 2)
  assert.equal(freeColor(Array.from({ length: 20 }, (_, color) => label(String(color), color))), 0)
})
