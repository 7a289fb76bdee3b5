// Attacks 1 to 3 and 9 to 13, hostile input: each gets its refusal, never a 500 and never access. Isolation between accounts is
// tested per route in every-route-wall.test.ts, attacks on the HTTP level in attack-list-wire.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, contractOnEachEngine } from '../support/gateway.ts'
import { faultPaths, withInstance } from './fixture.ts'
import { exchange, request } from './raw-http.ts'
import { apiRoutes, sampleCalls, UNKNOWN } from './sample-calls.ts'

const LIST = '/api/v1/instance/list'
const NUMBER = '5511912345678'

contractOnEachEngine('hostile input', (gateway) => {
  const fixture = withInstance(gateway)
  const raw = async (method: string, target: string, lines: readonly string[] = [], body = '') => {
    const { url, clock } = await fixture()
    // One wrong key per three seconds is allowed.
    clock.advance(3000)
    return exchange(url, request(method, target, lines, body))
  }
  const sendText = async (body: unknown) => (await fixture()).mine.call('sendText', { body })
  const refused = (answer: Answer, path: string) => {
    assert.equal(answer.status, 400)
    assert.equal(answer.json.reason, 'invalid_request')
    assert.deepEqual(faultPaths(answer), [path])
  }

  test('401 when Authorization is missing, empty, Basic, repeated or malformed', async () => {
    const { mine } = await fixture()
    const right = `Authorization: Bearer ${mine.key}`
    const wrong = [
      [],
      ['Authorization:'],
      ['Authorization: '],
      ['Authorization: Bearer'],
      ['Authorization: Bearer '],
      [`Authorization: Basic ${Buffer.from(`user:${mine.key}`).toString('base64')}`],
      [`Authorization: ${mine.key}`],
      [`Authorization: Bearer ${mine.key} ${mine.key}`],
      [`Authorization: Bearer ${mine.key},`],
      [`Authorization: Bearer "${mine.key}"`],
      [`Authorization: Token ${mine.key}`],
      [right, right],
      [right, 'Authorization: Bearer other'],
      ['Authorization: Bearer other', right],
      [right, `authorization: Bearer ${mine.key}`],
      [`X-Api-Key: ${mine.key}`],
      [`Cookie: apiKey=${mine.key}`],
    ]
    for (const lines of wrong) {
      const answer = await raw('GET', LIST, lines)
      assert.equal(answer.status, 401, lines.join(' | '))
      assert.equal(answer.json.reason, 'unauthorized')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.ok(!answer.bytes.includes(mine.key))
    }
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal((await raw('GET', LIST, [`Authorization: ${scheme} ${mine.key}`])).status, 200)
  })

  test('401 when the key is in the query, except for images, and when it is repeated', async () => {
    const { call, clock, mine, instance } = await fixture()
    for (const { id } of apiRoutes.filter((route) => !route.keyInQuery)) {
      const sample = sampleCalls[id]({ ...UNKNOWN, instance: instance.name })
      clock.advance(3000)
      const answer = await call(id, { ...sample, key: null, query: { ...sample.query, apiKey: mine.key } })
      assert.equal(answer.status, 401, id)
    }
    clock.advance(3000)
    assert.equal(
      (await call('adminListPlans', { key: null, query: { apiKey: (await gateway()).app.operatorKey } }))
        .status,
      401,
    )
    for (const path of ['qr/image', 'profile-picture']) {
      const target = `/api/v1/instance/${path}?instanceName=${instance.name}&apiKey=${mine.key}`
      assert.equal((await raw('GET', `${target}&apiKey=${mine.key}`)).status, 401)
      assert.notEqual((await raw('GET', target)).status, 401)
    }
  })

  test('400 when the query has a key besides the header; the key is not in the response', async () => {
    const { mine } = await fixture()
    const answer = await mine.call('listInstances', { query: { apiKey: mine.key } })
    refused(answer, 'apiKey')
    assert.ok(!answer.bytes.includes(mine.key))
  })

  test('404 when an instance name contains injection or traversal characters', async () => {
    const { mine } = await fixture()
    for (const name of [
      "' or '1'='1",
      '%',
      '_',
      '*',
      'support-%',
      '../admin',
      'NULL',
      '\u2028',
      '${name}',
      'a'.repeat(100),
    ]) {
      const answer = await mine.call('instanceState', { query: { instanceName: name } })
      assert.equal(answer.status, 404, name)
      assert.equal(answer.json.reason, 'instance_not_found')
    }
  })

  test('400 when fileName, secret, a name or a header contains CR LF, a path or NUL', async () => {
    const { mine, instance } = await fixture()
    const media = {
      instanceName: instance.name,
      number: NUMBER,
      type: 'document',
      mediaUrl: 'https://example.com/a',
    }
    for (const fileName of [
      'a\r\nb',
      'a\nb',
      'a\rb',
      '../a',
      '..\\a',
      '/etc/passwd',
      'a/b',
      'a\u0000b',
      '\u007f',
      '\u001b[2J',
    ])
      refused(await mine.call('sendMedia', { body: { ...media, fileName } }), 'fileName')
    for (const mimetype of ['a/b\r\nX: y', 'a/b\u0000', 'a/b; c=d\n', '../..'])
      refused(await mine.call('sendMedia', { body: { ...media, mimetype } }), 'mimetype')
    for (const secret of [
      'sixteen characters\r\n',
      'sixteen\u0000characters',
      'sixteen\tcharacters',
      'sixteen\ncharacters',
    ])
      refused(await mine.call('saveWebhook', { body: { url: 'https://example.com/a', secret } }), 'secret')
    for (const name of ['a\r\nb', 'a\u0000b']) {
      refused(await mine.call('saveWebhook', { body: { url: 'https://example.com/a', name } }), 'name')
      refused(await mine.call('createInstance', { body: { instanceName: name } }), 'instanceName')
      refused(await mine.call('createApiKey', { body: { name } }), 'name')
    }
    const body = JSON.stringify({ instanceName: instance.name, number: NUMBER, message: 'hi' })
    const headers = [
      `Authorization: Bearer ${mine.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    for (const key of ['a\u0000b', 'a\rb', 'caf\u00e9']) {
      const bytes = Buffer.from(
        request('POST', '/api/v1/send/text', [...headers, `Idempotency-Key: ${key}`], body),
        'latin1',
      )
      const answer = await exchange((await fixture()).url, bytes)
      assert.equal(answer.status, 400, JSON.stringify(key))
    }
  })

  test('400 when a body contains __proto__ or constructor.prototype; no prototype is changed', async () => {
    const { mine, instance } = await fixture()
    const start = `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Ana"`
    const bodies = [
      `${start},"__proto__":{"isAdmin":true}}`,
      `${start},"customData":{"__proto__":{"isAdmin":true}}}`,
      `${start},"customData":{"a":[{"__proto__":1}]}}`,
      `${start},"\\u005f_proto__":{"isAdmin":true}}`,
      `${start},"customData":{"constructor":{"prototype":{"isAdmin":true}}}}`,
    ]
    for (const body of bodies) assert.equal((await mine.call('saveContact', { body })).status, 400, body)
    assert.equal(({} as Record<string, unknown>).isAdmin, undefined)
    const key = [`Authorization: Bearer ${mine.key}`]
    for (const name of ['__proto__', 'constructor', '__proto__[x]', 'toString', 'hasOwnProperty'])
      assert.equal((await raw('GET', `${LIST}?${name}=1`, key)).status, 400, name)
  })

  test('400 when a body has 33 or 100,000 levels; 32 are stored', async () => {
    const { mine, instance } = await fixture()
    // The body and customData are levels 1 and 2.
    const nested = (depth: number) => `${'{"a":'.repeat(depth - 2)}1${'}'.repeat(depth - 2)}`
    const save = (customData: string) =>
      mine.call('saveContact', {
        body: `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Deep","customData":{"a":${customData}}}`,
      })
    const kept = await save(nested(32))
    assert.equal(kept.status, 200)
    assert.deepEqual(kept.json.contact.customData.a, JSON.parse(nested(32)))
    assert.equal((await save(nested(33))).status, 400)
    for (const deep of [
      '['.repeat(100_000) + ']'.repeat(100_000),
      '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000),
      '['.repeat(200_000),
    ])
      assert.equal((await save(deep)).status, 400)
  })

  test('400 when a body has 100,000 keys or values', async () => {
    const { mine, instance } = await fixture()
    const save = (customData: string) =>
      mine.call('saveContact', {
        body: `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Wide","customData":${customData}}`,
      })
    const keys = (count: number) =>
      `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join()}}`
    assert.equal((await save(keys(100_000))).status, 413)
    assert.equal((await save(keys(24_000))).status, 400)
    assert.equal((await save(`{"a":[${Array(100_000).fill(1).join()}]}`)).status, 400)
    assert.equal((await save(`{"a":[${'[],'.repeat(60_000)}[]]}`)).status, 400)
    assert.equal((await save(keys(5000))).status, 200)
    assert.equal((await sendText(keys(20_000))).status, 400)
  })

  test('400 when a number is too large or not JSON; other numbers are stored exactly', async () => {
    const { mine, instance } = await fixture()
    const location = (latitude: string) =>
      mine.call('sendLocation', {
        body: `{"instanceName":"${instance.name}","number":"${NUMBER}","latitude":${latitude},"longitude":0}`,
      })
    for (const latitude of ['1e400', '-1e400', 'NaN', 'Infinity', '0x10', '+1', '.5', '1.'])
      assert.equal((await location(latitude)).status, 400, latitude)
    for (const latitude of ['1e-400', '-0.0', '1e1', '89.99999999999999', '0.1']) {
      const sent = await location(latitude)
      assert.equal(sent.status, 200, latitude)
      const read = await mine.call('getMessage', { params: { messageId: sent.json.messageId } })
      assert.ok(Math.abs(read.json.message.content.latitude - Number(latitude)) === 0)
    }
    const big = await mine.call('saveContact', {
      body: `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Big","customData":{"n":1e400}}`,
    })
    refused(big, 'customData.n')
  })

  test('400 when any text contains a lone surrogate or NUL', async () => {
    const { mine, instance } = await fixture()
    const start = `{"instanceName":"${instance.name}","number":"${NUMBER}","message":`
    for (const text of ['"\\ud83d"', '"a\\ude00b"', '"\\ude00\\ud83d"', '"\\u0000"', '"a\\u0000b"'])
      refused(await sendText(`${start}${text}}`), 'message')
    const contact = `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Ana","customData":`
    for (const data of ['{"\\ud83d":1}', '{"a\\u0000":1}', '{"a":["\\ud83d"]}', '{"a":{"b":"\\u0000"}}'])
      assert.equal((await mine.call('saveContact', { body: `${contact}${data}}` })).status, 400, data)
    assert.equal((await sendText(`${start}"\\ud83d\\ude00"}`)).status, 200)
    const key = [`Authorization: Bearer ${mine.key}`]
    for (const target of [
      '/api/v1/messages/a%00b',
      '/api/v1/messages/%ff',
      '/api/v1/contacts?instanceName=%00',
      `${LIST}?%00=1`,
    ])
      assert.equal((await raw('GET', target, key)).status, 400, target)
  })

  test('400 when a body is not UTF-8; nothing is sent', async () => {
    const { mine, instance, url } = await fixture()
    for (const bytes of [
      [0xff, 0xfe, 0xc3, 0x28],
      [0xc3],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe9],
    ]) {
      const body = Buffer.concat([
        Buffer.from(`{"instanceName":"${instance.name}","number":"${NUMBER}","message":"broken`),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ])
      const head = request('POST', '/api/v1/send/text', [
        `Authorization: Bearer ${mine.key}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ])
      const answer = await exchange(url, Buffer.concat([Buffer.from(head), body]))
      assert.equal(answer.status, 400, String(bytes))
      assert.equal(answer.json.details[0].message, 'is not valid UTF-8')
    }
    const { messages } = (await mine.call('listMessages')).json
    assert.ok(
      messages.every(
        (each: { content: { message?: string } }) => !each.content.message?.startsWith('broken'),
      ),
    )
  })

  test('400 with its path when a field is given twice, at any depth and in any spelling', async () => {
    const { mine, instance } = await fixture()
    const start = `{"instanceName":"${instance.name}","number":"${NUMBER}","message":"hi"`
    for (const again of ['"message":"ho"', '"message":"hi"', '"\\u006dessage":"ho"', ' "message" : null'])
      refused(await sendText(`${start},${again}}`), 'message')
    const contact = `{"instanceName":"${instance.name}","phone":"${NUMBER}","name":"Ana","customData":`
    for (const [data, path] of [
      ['{"a":1,"b":{"c":1,"c":1}}', 'customData.b.c'],
      ['{"a":[1,{"b":0,"c":0,"b":1}]}', 'customData.a.1.b'],
    ] as const)
      refused(await mine.call('saveContact', { body: `${contact}${data}}` }), path)
    const same = `${contact}{"a":{"x":1},"b":{"x":1},"c":"\\"a\\":1,\\"a\\":1"}}`
    assert.equal((await mine.call('saveContact', { body: same })).status, 200, 'equal names in two objects')
  })

  test('400 when a number has letters, 1 or 40 digits, or groupJid is not a group', async () => {
    const { mine, instance } = await fixture()
    for (const number of ['55119abc5678', '1', '1'.repeat(40), '', '+', '１２３４５６７８', "5511912345678'"])
      refused(await sendText({ instanceName: instance.name, number, message: 'hi' }), 'number')
    for (const groupJid of [
      '120363',
      'x@g.us',
      `${NUMBER}@s.whatsapp.net`,
      '1@g.us',
      '120363000000000000@g.us\n',
      '120363000000000000@g.us,120363000000000001@g.us',
    ])
      refused(
        await mine.call('sendGroup', { body: { instanceName: instance.name, groupJid, message: 'hi' } }),
        'groupJid',
      )
    for (const number of ['abc', '1', '1'.repeat(40)])
      refused(await mine.call('checkNumber', { query: { instanceName: instance.name, number } }), 'number')
  })

  test('400 when delay is -1, 1e9, "5" or 3.5', async () => {
    const { instance } = await fixture()
    for (const delay of ['-1', '1e9', '"5"', '3.5', '60001', 'true', '1e400', '[]'])
      refused(
        await sendText(
          `{"instanceName":"${instance.name}","number":"${NUMBER}","message":"hi","delay":${delay}}`,
        ),
        'delay',
      )
  })

  test('400 when page is 0 or limit is 0 or 101; 200 with a literal search for % _ and quotes', async () => {
    const { mine, instance } = await fixture()
    const list = (query: Record<string, string>) =>
      mine.call('listContacts', { query: { instanceName: instance.name, ...query } })
    for (const [name, value] of [
      ['page', '0'],
      ['page', '-1'],
      ['page', '1e9'],
      ['limit', '0'],
      ['limit', '101'],
      ['limit', '-5'],
      ['page', '99999999999999999999'],
    ] as const)
      refused(await list({ [name]: value }), name)
    for (const name of ['50% off', 'snake_case', "D'Arc"]) {
      const phone = `55119${String(Math.abs(name.length * 7919)).padStart(8, '0')}`
      await mine.call('saveContact', { body: { instanceName: instance.name, phone, name } })
    }
    const found = async (search: string) =>
      (await list({ search })).json.contacts.map((contact: { name: string }) => contact.name)
    assert.deepEqual(await found('%'), ['50% off'])
    assert.deepEqual(await found('_'), ['snake_case'])
    assert.deepEqual(await found("'"), ["D'Arc"])
    assert.deepEqual(await found('%%%'), [])
    assert.deepEqual(await found("' or 1=1 --"), [])
    assert.deepEqual(await found('e_c'), ['snake_case'])
    assert.deepEqual(await found('s%e'), [])
  })
})
