import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  answeredSend,
  newApprovalCode,
  type PhoneAnswer,
  questionText,
  readPhoneAnswer,
} from './rules-phone-answer.ts'

const ME = { jid: '5511912345678@s.whatsapp.net', lid: '77@lid', phone: '5511912345678', pushName: null }
const NOTE = {
  fromMe: true,
  byPhone: true,
  chat: ME.jid,
  from: ME,
  type: 'text',
  text: 'yes K7F3M',
  quoted: null,
} as const
const QUOTE = { messageId: 'Q1', text: null, participant: null }

describe('an answer on the phone', () => {
  const answers: [string, Partial<PhoneAnswer>][] = [
    ['yes K7F3M', { approve: true, code: 'K7F3M' }],
    ['  Yes,  k7f3m! ', { approve: true, code: 'K7F3M' }],
    ['Sim K7F3M', { approve: true, code: 'K7F3M' }],
    ['sí K7F3M.', { approve: true, code: 'K7F3M' }],
    ['no K7F3M', { approve: false, code: 'K7F3M', reason: undefined }],
    ['Não K7F3M: offer the\ndiscount first', { approve: false, reason: 'offer the\ndiscount first' }],
  ]
  for (const [text, expected] of answers)
    test(`is "${text}"`, () => {
      const read = readPhoneAnswer({ ...NOTE, text })
      assert.deepEqual({ ...read, ...expected }, read)
    })

  test('needs no code if it quotes the question', () => {
    assert.deepEqual(readPhoneAnswer({ ...NOTE, text: 'yes', quoted: QUOTE }), {
      approve: true,
      code: undefined,
      quoted: 'Q1',
      reason: undefined,
    })
    assert.equal(readPhoneAnswer({ ...NOTE, text: 'no too late', quoted: QUOTE })?.reason, 'too late')
    assert.equal(readPhoneAnswer({ ...NOTE, chat: ME.lid, text: 'yes', quoted: QUOTE })?.approve, true)
  })

  for (const text of [
    'yes',
    'no',
    'yesterday K7F3M',
    'K7F3M',
    'K7F3M yes',
    'yes K7F3M but later',
    'yes K7F3',
    '',
    'ok K7F3M',
  ])
    test(`is not "${text}"`, () => assert.equal(readPhoneAnswer({ ...NOTE, text }), undefined))

  const others = {
    'of another person': { fromMe: false },
    'of another person who is said to be on the phone': { fromMe: false, byPhone: true, chat: ME.jid },
    'of another linked device of the account': { byPhone: false },
    'of a device that is not known': { byPhone: undefined },
    'in the chat with another person': { chat: '5511987654321@s.whatsapp.net' },
    'in a group': { chat: '120363000000000000@g.us' },
    'that is an edit': { type: 'edit' },
    'that is a caption': { type: 'image' },
    'without text': { text: null },
  } as const
  for (const [name, change] of Object.entries(others))
    test(`is never a message ${name}`, () => {
      assert.equal(readPhoneAnswer({ ...NOTE, quoted: QUOTE, ...change } as never), undefined)
    })
})

describe('the send that is answered', () => {
  const send = (messageId: string, questionId: string, code: string) => ({ messageId, questionId, code })
  const answer = (code?: string, quoted?: string): PhoneAnswer => ({
    approve: true,
    code,
    quoted,
    reason: undefined,
  })
  const [first, second] = [send('M1', 'Q1', 'AAAAA'), send('M2', 'Q2', 'BBBBB')]

  test('is the one with the code, or the one whose question is quoted', () => {
    assert.equal(answeredSend(answer('BBBBB'), [second]), second)
    assert.equal(answeredSend(answer(undefined, 'Q1'), [first]), first)
    assert.equal(answeredSend(answer('AAAAA', 'Q1'), [first]), first)
    assert.equal(answeredSend(answer('AAAAA', 'another message'), [first]), first)
  })

  test('is undefined if code and quote contradict, if two sends have the code, or if nothing fits', () => {
    assert.equal(answeredSend(answer('AAAAA', 'Q2'), [first, second]), undefined)
    assert.equal(answeredSend(answer('AAAAA'), [first, send('M3', 'Q3', 'AAAAA')]), undefined)
    assert.equal(answeredSend(answer('CCCCC', 'Q9'), []), undefined)
  })

  test('is the one whose question is quoted, if two have the same code', () => {
    assert.equal(answeredSend(answer('AAAAA', 'Q1'), [first, send('M3', 'Q3', 'AAAAA')]), first)
  })
})

test('a question names key, recipient and code, and marks every line of the send', () => {
  const question = { code: 'K7F3M', keyName: 'Agent\nx', to: '+5511912345678', kind: 'text', actions: [] }
  assert.equal(
    questionText({ ...question, text: 'Hello\n\nReply "yes AAAAA"' }),
    'Approval: the key "Agent x" wants to send (text) to +5511912345678.\n' +
      'Reply "yes K7F3M" to send it, or "no K7F3M" to reject it.\n\n> Hello\n> Reply "yes AAAAA"',
  )
  assert.ok(questionText({ ...question, text: 'x'.repeat(60_000) }).length < 1000)
  assert.doesNotMatch(questionText({ ...question, text: null }), />/)
})

test('a question shows every button, also below a long text, and each in one line', () => {
  const question = { code: 'K7F3M', keyName: 'Agent', to: '+5511912345678', kind: 'cta' }
  const actions = ['[copy] Copy: WELCOME10', '[reply] Yes\nReply "yes AAAAA": yes']
  assert.match(
    questionText({ ...question, text: 'x'.repeat(1024), actions }),
    /x…\n> \[copy\] Copy: WELCOME10\n> \[reply\] Yes Reply "yes AAAAA": yes$/,
  )
  assert.match(questionText({ ...question, text: null, actions }), /\n\n> \[copy\] Copy: WELCOME10\n/)
})

test('the code in a question is read as the code of an answer', () => {
  for (let round = 0; round < 200; round += 1) {
    const code = newApprovalCode()
    assert.equal(readPhoneAnswer({ ...NOTE, text: `yes ${code}` })?.code, code)
  }
})
