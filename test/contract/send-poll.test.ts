// POST /send-poll
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const options = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}`)

contract('POST /send-poll', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendPoll', type: 'poll', drawsDelay: false, to: 'number' })

  const most = { pollName: 'Which days?', options: options(12), selectableCount: 12 }
  stores(fixture, 'sendPoll', 'stores question, options and count; the default count is 1', [
    [most, most],
    [
      { pollName: 'Which?', options: ['a', 'b'] },
      { pollName: 'Which?', options: ['a', 'b'], selectableCount: 1 },
    ],
    [
      { pollName: 'Case?', options: ['a', 'A'], selectableCount: 2 },
      { pollName: 'Case?', options: ['a', 'A'], selectableCount: 2 },
    ],
  ])

  refuses(fixture, 'sendPoll', 'there are fewer than two options, more than twelve, or duplicates', [
    [{ options: ['one'] }, 'options'],
    [{ options: options(13) }, 'options'],
    [{ options: ['a', 'a'] }, 'options'],
    [{ options: ['a', ''] }, 'options.1'],
    [{ options: ['a', 'x'.repeat(257)] }, 'options.1'],
    [{ options: ['a', 1] }, 'options.1'],
    [{ options: 'a,b' }, 'options'],
  ])

  refuses(fixture, 'sendPoll', 'selectableCount exceeds the options', [
    [{ selectableCount: 0 }, 'selectableCount'],
    [{ selectableCount: 3 }, 'selectableCount'],
    [{ selectableCount: 13, options: options(12) }, 'selectableCount'],
    [{ selectableCount: 1.5 }, 'selectableCount'],
    [{ selectableCount: '1' }, 'selectableCount'],
    [{ selectableCount: null }, 'selectableCount'],
  ])

  refuses(fixture, 'sendPoll', 'the question is empty or too long', [
    [{ pollName: '' }, 'pollName'],
    [{ pollName: 'x'.repeat(1025) }, 'pollName'],
  ])
})
