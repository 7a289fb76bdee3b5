// Buttons of mixed types and PIX keys: a phone shows them, a tap comes back with the id of the button, and received ones are read.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { RouteId } from '../../src/contract/routes.ts'
import type { Answer } from '../support/gateway.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'

const [OWNER, BOB] = ['5511955550001', '5511955550002']

describe('buttons of mixed types and PIX keys', () => {
  let sandbox: SandboxWorld
  let line: PairedInstance
  before(async () => {
    sandbox = await startSandboxWorld()
    await sandbox.world.phone(BOB, 'Bob')
    line = await sandbox.pair(OWNER)
  })
  after(() => sandbox.stop())

  const shows = async (id: RouteId, body: Record<string, unknown>) => {
    const to = { instanceName: line.name, number: BOB, delay: 0 }
    const { messageId } = await sandbox.api(id, { body: { ...to, ...body } })
    const { visible, interactive } = await sandbox.world.shown(BOB, messageId)
    assert.equal(visible, true)
    return { messageId, interactive }
  }
  const does = async (action: string, body: Record<string, unknown>): Promise<Answer['json']> => {
    const { messageId } = await sandbox.world.post(`/phones/${BOB}/${action}`, body)
    return sandbox.message(line, String(messageId))
  }

  test('the phone shows every button in its place, and a tap is an event with the id', async () => {
    const { messageId, interactive } = await shows('sendCta', {
      interactive: {
        title: 'Coupon',
        body: 'For you',
        buttons: [
          { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
          { replyButton: { displayText: 'Talk', buttonId: 'person' } },
          { urlButton: { displayText: 'Site', url: 'https://example.com' } },
          { callButton: { displayText: 'Ring', phoneNumber: '+5511912345678' } },
        ],
      },
    })
    assert.deepEqual(interactive, {
      type: 'buttons',
      title: 'Coupon',
      body: 'For you',
      footer: null,
      buttons: [
        { type: 'copy', text: 'Copy', id: 'WELCOME10' },
        { type: 'reply', text: 'Talk', id: 'person' },
        { type: 'url', text: 'Site', url: 'https://example.com' },
        { type: 'call', text: 'Ring', phoneNumber: '+5511912345678' },
      ],
    })
    const tap = await does('tap', { messageId, buttonId: 'person' })
    const [event] = await sandbox.events(line, tap.messageId)
    assert.ok(event)
    const { type, interactiveReplyId, text, quoted } = event.data as Answer['json']
    assert.deepEqual(
      [event.event, type, interactiveReplyId, text, quoted.messageId],
      ['messages.upsert', 'button_reply', 'person', 'Talk', messageId],
    )
  })

  test('a PIX key arrives with name and type, in the form of banks', async () => {
    const key = { merchantName: 'Padaria Central', keyType: 'cpf', key: '529.982.247-25' }
    assert.deepEqual((await shows('sendPix', key)).interactive?.buttons, [
      { type: 'pix', text: 'Padaria Central', id: '52998224725', keyType: 'CPF' },
    ])
  })

  test('those of a business have the fields of the request that sends them', async () => {
    const flow = (name: string, parameters: object) => ({
      name,
      buttonParamsJson: JSON.stringify(parameters),
    })
    const arrives = (buttons: object[]) =>
      does('send-content', {
        to: OWNER,
        content: { interactiveMessage: { body: { text: 'Hello' }, nativeFlowMessage: { buttons } } },
      })
    const yes = flow('quick_reply', { display_text: 'Yes', id: 'yes' })
    const mixed = await arrives([yes, flow('cta_copy', { display_text: 'Copy', copy_code: 'WELCOME10' })])
    assert.deepEqual([mixed.type, mixed.content.text], ['cta', 'Hello'])
    assert.deepEqual(mixed.content.interactive.buttons, [
      { replyButton: { displayText: 'Yes', buttonId: 'yes' } },
      { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
    ])
    assert.equal((await arrives([yes])).type, 'button')
    const code = { merchant_name: 'Shop', key: 'shop@example.com', key_type: 'EMAIL' }
    const payment = { payment_settings: [{ type: 'pix_static_code', pix_static_code: code }] }
    const { type, content } = await arrives([flow('payment_info', payment)])
    assert.deepEqual(
      [type, content.merchantName, content.keyType, content.key],
      ['pix', 'Shop', 'email', 'shop@example.com'],
    )
  })
})
