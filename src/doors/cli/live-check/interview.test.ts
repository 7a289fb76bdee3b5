import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo, choice, phoneNumber } from './interview.ts'

test('the answer with the longest fitting name counts', () => {
  const answers = { shown: 'renders', 'shown.list': 'differs', 'shown.list.web': 'nothing' }
  assert.deepEqual(
    ['shown.text.ios', 'shown.list.ios', 'shown.list.web', 'pair'].map((id) => answerTo(answers, id)),
    ['renders', 'differs', 'nothing', undefined],
  )
  assert.equal(answerTo({}, 'constructor'), undefined)
})

test('a choice accepts its words, and first letters that fit only one of them', () => {
  const { read } = choice('shown', 'What?', ['renders', 'rejects', 'nothing'])
  assert.deepEqual(['nothing', 'N', 'ren', 're', '', 'other'].map(read), [
    'nothing',
    'nothing',
    'renders',
    undefined,
    undefined,
    undefined,
  ])
})

test('a phone number may be written with spaces and signs', () => {
  const { read } = phoneNumber('number', 'Which?')
  assert.deepEqual(['+55 (11) 91234-5678', '5511912345678', '123', 'five', ''].map(read), [
    '5511912345678',
    '5511912345678',
    undefined,
    undefined,
    undefined,
  ])
})
