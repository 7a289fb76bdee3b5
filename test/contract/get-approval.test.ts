// GET /messages/{messageId}/approval, and its files: all that the person sees who decides about a send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CallInput, contractOnEachEngine } from '../support/gateway.ts'
import { png } from '../support/sample-files.ts'
import { shared } from './fixture.ts'
import { receive } from './received-message.ts'
import { UNKNOWN } from './sample-calls.ts'

const CHAT = '5511912345678@s.whatsapp.net'
const LONG = 'A long text. '.repeat(100)

const ENDPOINTS = 'GET /messages/{messageId}/approval, GET /messages/{messageId}/approval/files/{mediaId}'

contractOnEachEngine(ENDPOINTS, (gateway) => {
  const prepared = shared(async () => {
    const running = await gateway()
    const mine = await running.account()
    const instance = await running.openInstance(mine)
    const made = await mine.call('createApiKey', { body: { name: 'Agent', approval: true } })
    const agent = { key: made.json.key as string, id: made.json.apiKey.id as number }
    await mine.call('saveContact', {
      body: { instanceName: instance.name, number: '5511912345678', name: 'Ana' },
    })
    const send = async (id: Parameters<typeof mine.call>[0], fields: object): Promise<string> => {
      const body = { instanceName: instance.name, number: '5511912345678', ...fields }
      const answer = await mine.call(id, { body, key: agent.key })
      assert.deepEqual([answer.status, answer.json.status], [200, 'awaiting_approval'])
      return answer.json.messageId
    }
    const upload = async (): Promise<string> =>
      (
        await mine.call('uploadMedia', {
          query: { fileName: 'photo.png' },
          body: png(4, 2),
          headers: { 'content-type': 'image/png' },
        })
      ).json.mediaId
    const open = async (messageId: string, given: CallInput = {}) =>
      mine.call('getApproval', { params: { messageId }, ...given })
    const shown = async (messageId: string) => {
      const answer = await open(messageId)
      assert.equal(answer.status, 200)
      return answer.json.approval
    }
    const file = async (messageId: string, mediaId: string, given: CallInput = {}) =>
      mine.call('getApprovalFile', { params: { messageId, mediaId }, ...given })
    return { ...running, mine, instance, agent, send, upload, open, shown, file }
  })

  test('200 shows the whole send, its key, its end, and the name of the chat', async () => {
    const { send, shown, agent, instance } = await prepared()
    const messageId = await send('sendText', { message: LONG })
    const approval = await shown(messageId)
    assert.equal(approval.message.content.message, LONG)
    assert.deepEqual(
      [approval.message.messageId, approval.message.instanceName, approval.message.chat],
      [messageId, instance.name, CHAT],
    )
    assert.deepEqual(approval.key, { id: agent.id, name: 'Agent' })
    assert.equal(approval.chatName, 'Ana')
    assert.deepEqual(approval.text, { value: LONG, field: 'message', minLength: 1, maxLength: 65_536 })
    assert.deepEqual([approval.files, approval.target], [[], null])
    assert.equal(Date.parse(approval.approveBy) - Date.parse(approval.requestedAt), 24 * 60 * 60 * 1000)
  })

  test('200 lists the files, whose bytes can be read while the send waits', async () => {
    const { send, shown, upload, file, mine } = await prepared()
    const mediaId = await upload()
    const messageId = await send('sendMedia', { mediaId, message: 'Look' })
    const { files, text } = await shown(messageId)
    assert.deepEqual(
      [files.length, files[0].field, files[0].mimetype, files[0].fileName, files[0].sizeBytes],
      [1, 'mediaId', 'image/png', 'photo.png', png(4, 2).length],
    )
    assert.deepEqual(text, { value: 'Look', field: 'message', minLength: 0, maxLength: 1024 })
    assert.ok(files[0].path.startsWith(`/messages/${messageId}/approval/files/${mediaId}?`))
    const read = await file(messageId, mediaId)
    assert.deepEqual([read.status, read.headers.get('content-type')], [200, 'image/png'])
    assert.deepEqual(Buffer.from(read.bytes), Buffer.from(png(4, 2)))
    assert.match(read.headers.get('content-security-policy') ?? '', /sandbox/)
    await mine.call('rejectMessage', { params: { messageId }, body: {} })
    const later = await file(messageId, mediaId)
    assert.deepEqual([later.status, later.json.reason], [409, 'message_not_awaiting_approval'])
  })

  test('200 names the card of each file, and shows polls, places, contacts, buttons and keys as they are sent', async () => {
    const { send, shown, upload } = await prepared()
    const mediaId = await upload()
    const buttons = [{ buttonId: 'a', buttonText: { displayText: 'A' } }]
    const cards = [{ header: { mediaId }, body: 'Shoe', buttons }]
    const carousel = await shown(await send('sendCarousel', { interactive: { body: 'This week', cards } }))
    assert.deepEqual(
      [carousel.files[0].field, carousel.text.field, carousel.text.value],
      ['interactive.cards.0.header.mediaId', 'interactive.body', 'This week'],
    )
    const poll = await shown(await send('sendPoll', { pollName: 'Which day?', options: ['Mon', 'Tue'] }))
    assert.deepEqual([poll.text.value, poll.message.content.options], ['Which day?', ['Mon', 'Tue']])
    const location = await shown(await send('sendLocation', { latitude: 1, longitude: 2, name: 'Shop' }))
    assert.deepEqual([location.text, location.message.content.name], [null, 'Shop'])
    const contacts = [{ name: 'Ben', phone: '5511987654321' }]
    const card = await shown(await send('sendContact', { contacts }))
    assert.deepEqual([card.text, card.message.content.contacts], [null, contacts])
    const mixed = [
      { copyButton: { displayText: 'Copy', copyCode: 'WELCOME10' } },
      { replyButton: { displayText: 'Talk', buttonId: 'person' } },
    ]
    const coupon = await shown(await send('sendCta', { interactive: { body: 'For you', buttons: mixed } }))
    assert.deepEqual([coupon.text.value, coupon.message.content.interactive.buttons], ['For you', mixed])
    const key = { merchantName: 'Shop', keyType: 'email', key: 'shop@example.com' }
    const pix = await shown(await send('sendPix', key))
    assert.equal(pix.text, null)
    assert.deepEqual(pix.message.content, { ...pix.message.content, ...key })
  })

  test('200 shows the ten last messages of the chat, newest first, and the message that is changed', async () => {
    const { send, shown, mine, agent, store, instance, clock } = await prepared()
    const number = '5511977776666'
    const sent: string[] = []
    for (let index = 0; index < 11; index += 1) {
      const body = { instanceName: instance.name, number, message: `No. ${index}` }
      sent.push((await mine.call('sendText', { body })).json.messageId)
    }
    await store.db.updateTable('messages').set({ status: 'sent' }).where('id', 'in', sent).execute()
    // Nothing of these has been sent.
    const sendAt = new Date(clock.now() + 3_600_000).toISOString()
    await send('sendText', { number, message: 'later', sendAt })
    await send('sendText', { number, message: 'another draft' })
    const target = sent.at(-1) ?? ''
    const edit = await mine.call('editMessage', {
      params: { messageId: target },
      body: { message: 'Hello' },
      key: agent.key,
    })
    const approval = await shown(edit.json.messageId)
    assert.deepEqual([approval.target.messageId, approval.target.content.message], [target, 'No. 10'])
    assert.deepEqual(approval.text, { value: 'Hello', field: 'message', minLength: 1, maxLength: 65_536 })
    assert.deepEqual(
      approval.recentMessages.map(({ messageId }: { messageId: string }) => messageId),
      sent.toReversed().slice(0, 10),
    )
  })

  test('200 shows received messages of this chat alone', async () => {
    const { send, shown, mine } = await prepared()
    const running = await prepared()
    const received = await receive(running, null)
    const here = await shown(await send('sendText', { message: 'hi' }))
    const ids = (messages: { messageId: string }[]) => messages.map(({ messageId }) => messageId)
    assert.ok(ids(here.recentMessages).includes(received))
    const elsewhere = await shown(await send('sendText', { number: '5511911112222', message: 'hi' }))
    assert.deepEqual(elsewhere.recentMessages, [])
    const other = await running.openInstance(mine)
    const inOther = await shown(await send('sendText', { instanceName: other.name, message: 'hi' }))
    assert.deepEqual(inOther.recentMessages, [])
  })

  test('403 when the key has walls or sends with approval itself', async () => {
    const { send, open, file, agent, mine, instance } = await prepared()
    const messageId = await send('sendText', { message: 'hi' })
    const made = await mine.call('createApiKey', { body: { name: 'Walled', instances: [instance.name] } })
    for (const key of [agent.key, made.json.key as string])
      for (const answer of [
        await open(messageId, { key }),
        await file(messageId, `media-${'0'.repeat(22)}`, { key }),
      ])
        assert.deepEqual([answer.status, answer.json.reason], [403, 'outside_walls'])
  })

  test('403 when the key may read but not send', async () => {
    const { send, open, mine } = await prepared()
    const messageId = await send('sendText', { message: 'hi' })
    const reader = await mine.call('createApiKey', { body: { name: 'Reader', scopes: ['read'] } })
    assert.equal((await open(messageId, { key: reader.json.key })).json.reason, 'scope_missing')
  })

  test('404 for the file of another send, of another account and an unknown one', async () => {
    const { send, upload, file, account } = await prepared()
    const mediaId = await upload()
    await send('sendMedia', { mediaId })
    const messageId = await send('sendText', { message: 'hi' })
    assert.equal((await file(messageId, mediaId)).json.reason, 'media_not_found')
    assert.equal((await file(messageId, `media-${'0'.repeat(22)}`)).json.reason, 'media_not_found')
    const other = await account()
    const foreign = await file(messageId, mediaId, { key: other.key })
    assert.deepEqual([foreign.status, foreign.json.reason], [404, 'message_not_found'])
    const elsewhere = await file(messageId, mediaId, { query: { instanceName: UNKNOWN.instance } })
    assert.deepEqual([elsewhere.status, elsewhere.json.reason], [404, 'instance_not_found'])
  })

  test('404 when there is no such message or instance, or it is of another account', async () => {
    const { send, open, account } = await prepared()
    const messageId = await send('sendText', { message: 'hi' })
    assert.equal((await open(UNKNOWN.messageId)).json.reason, 'message_not_found')
    const elsewhere = await open(messageId, { query: { instanceName: UNKNOWN.instance } })
    assert.equal(elsewhere.json.reason, 'instance_not_found')
    const other = await account()
    assert.equal((await open(messageId, { key: other.key })).json.reason, 'message_not_found')
  })

  test('409 when the send does not wait for approval', async () => {
    const { send, open, mine } = await prepared()
    const messageId = await send('sendText', { message: 'hi' })
    await mine.call('approveMessage', { params: { messageId } })
    const answer = await open(messageId)
    assert.deepEqual(
      [answer.status, answer.json.reason, answer.json.status],
      [409, 'message_not_awaiting_approval', 'queued'],
    )
  })
})
