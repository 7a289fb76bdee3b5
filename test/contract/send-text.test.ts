// POST /send/text (spec 4.1)
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contract } from '../support/gateway.ts'

contract('POST /send/text', (gateway) => {
  test('200: the message is accepted and can be read', async () => {
    const { account: makeAccount, openInstance } = await gateway()
    const account = await makeAccount()
    const instance = await openInstance(account)
    const body = {
      instanceName: instance.name,
      number: '+55 (11) 91234-5678',
      type: 'text',
      message: 'Olá 👋',
      delay: 0,
    }
    const sent = await account.call('sendText', { body })
    assert.equal(sent.status, 200)
    assert.equal(sent.json.status, 'queued')
    assert.equal(sent.json.number, '5511912345678')
    assert.match(sent.json.messageId, /^3EB0[0-9A-F]{18}$/)

    const read = await account.call('getMessage', { params: { messageId: sent.json.messageId } })
    assert.deepEqual(read.json.message.content, { message: 'Olá 👋' })
  })

  test('400: names the field that is missing and the one that is unknown', async () => {
    const account = await (await gateway()).account()
    const answer = await account.call('sendText', {
      body: { instanceName: 'x', message: 'hi', mesage: 'typo', number: '5511912345678' },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.json.details, [{ path: 'mesage', message: 'unknown field' }])
  })

  test('404: an instance of another account is as unknown as none', async () => {
    const { account: makeAccount, openInstance } = await gateway()
    const mine = await makeAccount()
    const theirs = await openInstance(await makeAccount())
    const send = (instanceName: string) =>
      mine.call('sendText', { body: { instanceName, number: '5511912345678', message: 'hi' } })
    const other = await send(theirs.name)
    const unknown = await send('nobody-00000000')
    assert.equal(other.status, 404)
    assert.deepEqual({ ...other.json, requestId: '' }, { ...unknown.json, requestId: '' })
  })

  test('409: an instance that was never paired takes nothing', async () => {
    const account = await (await gateway()).account()
    const created = await account.call('createInstance', { body: { instanceName: 'New' } })
    const body = {
      instanceName: created.json.instance.apiInstanceName,
      number: '5511912345678',
      message: 'hi',
    }
    const answer = await account.call('sendText', { body })
    assert.equal(answer.status, 409)
    assert.equal(answer.json.reason, 'instance_not_connected')
  })

  test('403: the quota of messages really stops', async () => {
    const { account: makeAccount, openInstance } = await gateway()
    const limits = { users: 'Unlimited', contacts: 'Unlimited', instances: 'Unlimited', messages: 2 }
    const account = await makeAccount({ limits })
    const { name } = await openInstance(account)
    const body = { instanceName: name, number: '5511912345678', message: 'hi' }
    const answers = await Promise.all([1, 2, 3].map(() => account.call('sendText', { body })))
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 403])
    const refused = answers.find((answer) => answer.status === 403)
    assert.deepEqual([refused?.json.resource, refused?.json.limit, refused?.json.used], ['messages', 2, 2])
  })
})
