// Requests from forms: bodies, error paths and curl commands, and what a file is sent as.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { MEDIA_LIMIT_BYTES } from '../../../../src/contract/media-limits.ts'
import type { Route } from '../../../../src/contract/route.ts'
import { routes } from '../../../../src/contract/routes.ts'
import {
  bodyOf,
  curlOf,
  emptyDraft,
  type FormDraft,
  newEntry,
  pathsOf,
  type ReadyFile,
  requestsFor,
} from './send-body.ts'
import { optionsOf, SEND_FORMS, type SendForm, type SendKind, sentAs } from './send-forms.ts'

describe('a form and its request', () => {
  const person = { instanceName: 'line', to: { chat: '5511900000002@s.whatsapp.net' } } as const
  const group = { instanceName: 'line', to: { groupJid: '120363000000000000@g.us' } } as const
  const status = { instanceName: 'line', to: {} } as const
  const recipientOf = (kind: SendKind) => (kind === 'group' ? group : kind === 'status' ? status : person)

  /** A valid value for every field. */
  const filled = (form: SendForm['fields'], draft: FormDraft): FormDraft =>
    Object.fromEntries(
      form.flatMap((field): [string, string | FormDraft[]][] => {
        const value = draft[field.path]
        if (field.input === 'fixed' || value === undefined) return []
        if (field.input === 'list')
          return [[field.path, (value as FormDraft[]).map((entry, n) => filledEntry(field.fields, entry, n))]]
        if (field.input === 'choice') return [[field.path, value]]
        if (field.input === 'flag') return [[field.path, 'true']]
        if (field.input === 'file') return [[field.path, 'https://example.com/a.png']]
        const sample = {
          number: '1',
          url: 'https://example.com/a.png',
          tel: '+5511912345678',
          line: 'text',
          lines: 'text',
          email: 'ana@example.com',
          moment: field.path === 'endsAt' ? '2036-12-24T19:00' : '2036-12-24T18:00',
          color: '#112233',
        }
        return [
          [field.path, field.path === 'mimetype' ? 'image/png' : value === '' ? sample[field.input] : value],
        ]
      }),
    )
  const filledEntry = (fields: SendForm['fields'], entry: FormDraft, n: number): FormDraft =>
    fields[0]?.path === '' ? { '': `option ${n}` } : filled(fields, entry)

  for (const [kind, form] of Object.entries(SEND_FORMS) as [SendKind, SendForm][]) {
    const route = routes[form.route] as unknown as Route
    const delay = form.usualDelay === undefined ? '' : '250'
    test(`${kind}: a filled form is valid for its endpoint`, () => {
      const body = bodyOf(form, filled(form.fields, emptyDraft(form.fields)), recipientOf(kind), delay)
      assert.equal(form.path, route.path)
      assert.deepEqual(route.body?.safeParse(body).error?.issues ?? [], [])
      assert.equal(body.delay, form.usualDelay === undefined ? undefined : 250)
    })

    test(`${kind}: an empty form shows every API error at a field`, () => {
      const draft = emptyDraft(form.fields)
      const parsed = route.body?.safeParse(bodyOf(form, draft, recipientOf(kind), ''))
      const faults = parsed?.error?.issues.map((issue) => issue.path.map(String).join('.')) ?? []
      // A URL is checked after the schema, and the error names its field.
      assert.ok(faults.length > 0 || kind === 'media' || kind === 'sticker')
      const known = pathsOf(form.fields, draft)
      assert.deepEqual(
        faults.filter((path) => !known.has(path)),
        [],
      )
    })
  }

  test('a call to action is a link or a call, with its position in the list', () => {
    const form: SendForm = SEND_FORMS.cta
    const draft = emptyDraft(form.fields)
    const call = {
      action: 'call',
      'callButton.displayText': 'Ring',
      'callButton.phoneNumber': '+5511912345678',
    }
    const page = { action: 'url', 'urlButton.displayText': 'Look', 'urlButton.url': 'https://example.com' }
    const body = bodyOf(form, { ...draft, 'interactive.buttons': [page, call] }, person, '')
    assert.deepEqual((body.interactive as { buttons: unknown }).buttons, [
      { index: 0, urlButton: { displayText: 'Look', url: 'https://example.com' } },
      { index: 1, callButton: { displayText: 'Ring', phoneNumber: '+5511912345678' } },
    ])
  })

  test('suggested identifiers are unique, even after an entry was removed', () => {
    const list = SEND_FORMS.button.fields.find((field) => field.input === 'list')
    assert.ok(list)
    const [first, second] = [newEntry(list, []), newEntry(list, [newEntry(list, [])])]
    assert.notEqual(first.buttonId, second.buttonId)
    assert.notEqual(newEntry(list, [second]).buttonId, second.buttonId)
  })

  test('the curl command sends the body in a shell and runs nothing else', () => {
    const body = { message: `it's $(touch hit) \`touch hit\` "quoted" \\ and\nmore '' $API_KEY` }
    const curl = curlOf('https://gateway.example', '/send/text', body)
    assert.ok(curl.startsWith("curl -X POST 'https://gateway.example/api/v1/send/text'"))
    // Replaces curl: prints each argument, terminated by a byte that no argument can contain.
    const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`
    const output = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { API_KEY: 'the-key' } })
    const given = output.split('\0')
    assert.ok(given.includes('Authorization: Bearer the-key'))
    assert.deepEqual(JSON.parse(given.at(-2) ?? ''), body)
  })

  test('options, reply and mentions are in the body of every kind except a status, and an uploaded file replaces the URL', () => {
    const references = { quotedMessageId: 'M1', mentions: ['5511900000003'] }
    for (const [kind, form] of Object.entries(SEND_FORMS) as [SendKind, SendForm][]) {
      const draft = filled(form.fields, emptyDraft(form.fields))
      const options = { sendAt: '2036-12-24T18:00', expiresAt: '2036-12-24T19:00', linkPreview: 'true' }
      const isStatus = kind === 'status'
      const to = isStatus ? status : group
      const body = bodyOf(form, { ...draft, ...options }, to, '', isStatus ? {} : references)
      const route = routes[form.route] as unknown as Route
      assert.deepEqual(route.body?.safeParse(body).error?.issues ?? [], [], kind)
      assert.equal(body.sendAt, new Date('2036-12-24T18:00').toISOString())
      if (!isStatus) assert.deepEqual([body.quotedMessageId, body.mentions], ['M1', ['5511900000003']])
      assert.ok(pathsOf(optionsOf(form), draft).has('sendAt'))
    }
    const form: SendForm = SEND_FORMS.media
    const mediaId = 'media-4fzyo82mvyrQ0b1cT7n_xA'
    const draft = {
      ...emptyDraft(form.fields),
      mediaId,
      'mediaId name': 'a.pdf',
      type: 'document',
      viewOnce: 'true',
    }
    const body = bodyOf(form, draft, person, '')
    assert.deepEqual(body, { ...person.to, instanceName: 'line', type: 'document', mediaId })
  })

  test('a status has the fields of its type, and its numbers only if they are chosen', () => {
    const form: SendForm = SEND_FORMS.status
    const text = { ...emptyDraft(form.fields), message: 'Open', font: 'bold', backgroundColor: '#112233' }
    const common = { instanceName: 'line', message: 'Open' }
    const colors = { backgroundColor: '#112233', textColor: '#ffffff' }
    assert.deepEqual(bodyOf(form, text, status, ''), { ...common, type: 'text', ...colors, font: 'bold' })
    const chosen = { audience: 'numbers', to: [{ '': '5511912345678' }] }
    const image = { ...text, ...chosen, type: 'image', mediaUrl: 'https://example.com/a.png' }
    assert.deepEqual(bodyOf(form, image, status, ''), {
      ...common,
      type: 'image',
      mediaUrl: 'https://example.com/a.png',
      to: ['5511912345678'],
    })
  })

  test('an event has a call link only if one is chosen', () => {
    const form: SendForm = SEND_FORMS.event
    const draft = { ...emptyDraft(form.fields), name: 'Tasting', startsAt: '2036-12-24T18:00' }
    const body = { ...person.to, instanceName: 'line', name: 'Tasting' }
    const startsAt = new Date('2036-12-24T18:00').toISOString()
    assert.deepEqual(bodyOf(form, draft, person, ''), { ...body, startsAt })
    const call = bodyOf(form, { ...draft, call: 'video' }, person, '')
    assert.deepEqual(call, { ...body, startsAt, call: 'video' })
  })
})

describe('files', () => {
  test('a file is sent as what it is, and as a document if it is too large for a picture', () => {
    const cases = [
      ['image/png', 1, 'image'],
      ['image/png', MEDIA_LIMIT_BYTES.image + 1, 'document'],
      ['image/svg+xml', 1, 'document'],
      ['video/mp4', 1, 'video'],
      ['audio/ogg', 1, 'audio'],
      ['application/pdf', 1, 'document'],
      ['', 1, 'document'],
    ] as const
    for (const [type, size, expected] of cases) assert.equal(sentAs({ type, size }), expected, type)
  })
})

describe('several files', () => {
  const file = (mediaId: string, type: ReadyFile['type']): ReadyFile => ({
    mediaId,
    type,
    fileName: `${mediaId}.bin`,
  })
  const recipient = { instanceName: 'line', to: { chat: 'ana' } }
  const plan = (files: ReadyFile[], caption = '', common: Record<string, unknown> = {}) =>
    requestsFor({ chat: 'ana', files, caption, recipient, common })

  test('one file is one message, with the text as its caption', () => {
    const [only, ...others] = plan([file('a', 'document')], 'The invoice', { quotedMessageId: 'q' })
    assert.deepEqual(others, [])
    assert.equal(only?.route, 'sendMedia')
    assert.deepEqual(only.body, {
      instanceName: 'line',
      chat: 'ana',
      quotedMessageId: 'q',
      type: 'document',
      mediaId: 'a',
      fileName: 'a.bin',
      message: 'The invoice',
    })
  })

  test('pictures and videos become an album; other files are sent one by one, in order', () => {
    const requests = plan(
      [file('a', 'image'), file('b', 'video'), file('c', 'document'), file('d', 'image')],
      'Look',
    )
    assert.deepEqual(
      requests.map(({ route }) => route),
      ['sendAlbum', 'sendMedia', 'sendMedia'],
    )
    const album = requests[0]?.body.files as { mediaId: string; message?: string }[] | undefined
    assert.deepEqual(
      album?.map(({ mediaId, message }) => [mediaId, message]),
      [
        ['a', 'Look'],
        ['b', undefined],
      ],
    )
    assert.equal(requests[2]?.body.message, undefined)
  })

  test('an album has at most 30 files', () => {
    const files = Array.from({ length: 31 }, (_, index) => file(`f${index}`, 'image'))
    assert.deepEqual(
      plan(files).map(({ route }) => route),
      ['sendAlbum', 'sendMedia'],
    )
  })

  test('audio has no caption: the text is a message of its own, behind it', () => {
    const requests = plan([file('a', 'audio')], 'Listen', { quotedMessageId: 'q', mentions: ['1'] })
    assert.deepEqual(
      requests.map(({ route, body }) => [route, body.message, body.quotedMessageId, body.mentions]),
      [
        ['sendMedia', undefined, 'q', undefined],
        ['sendText', 'Listen', undefined, ['1']],
      ],
    )
  })
})
