// POST /send-group
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

contract('POST /send-group', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendGroup', type: 'text', drawsDelay: false, to: 'groupJid' })

  stores(fixture, 'sendGroup', 'stores the text exactly', [
    [{ message: 'Olá\n*all* 👋' }, { message: 'Olá\n*all* 👋' }],
    [
      { message: 'hi', linkPreview: true },
      { message: 'hi', linkPreview: true },
    ],
    [{ message: 'x'.repeat(65_536) }, { message: 'x'.repeat(65_536) }],
  ])

  test('200 accepts both forms of a group identifier, and returns the group and no number', async () => {
    const { mine, instance } = await fixture()
    for (const groupJid of ['120363012345678901@g.us', '5511912345678-1612345678@g.us']) {
      const body = { instanceName: instance.name, groupJid, message: 'hi' }
      const sent = await mine.call('sendGroup', { body })
      assert.equal(sent.status, 200)
      assert.equal(sent.json.groupJid, groupJid)
      const { message } = (await mine.call('getMessage', { params: { messageId: sent.json.messageId } })).json
      assert.deepEqual([message.groupJid, message.number, message.type], [groupJid, null, 'text'])
    }
  })

  refuses(
    fixture,
    'sendGroup',
    'groupJid is not a group',
    [
      '',
      '120363012345678901',
      '@g.us',
      '5511912345678@s.whatsapp.net',
      'abc@g.us',
      '120363012345678901@g.us ',
      '1203@g.us',
      '120363012345678901@G.US',
      120363012345678,
      null,
    ].map((groupJid) => [{ groupJid }, 'groupJid'] as const),
  )

  refuses(fixture, 'sendGroup', 'the message is empty or too long, or number or type is given', [
    [{ message: '' }, 'message'],
    [{ message: 'x'.repeat(65_537) }, 'message'],
    [{ number: '5511912345678' }, 'number'],
    [{ type: 'text' }, 'type'],
  ])
})
