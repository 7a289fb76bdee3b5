// `live-check` as its own process against a real server: simulated phones do what it asks a person to do.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { MESSAGE_KINDS } from '../../src/contract/sending.ts'
import { scratchDirectory, startCli } from '../support/cli.ts'
import { engines, type StoreLocation } from '../support/engines.ts'
import { api, ask, callSuccessfully, until, world } from '../support/linked.ts'
import { ogg, png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const [OWNER, FRIEND, HIDDEN] = ['5511940000001', '5511940000002', '5511940000003'] as const
const NAMES = ['Paula Canary', 'Rita Canary', 'Hugo Canary']
const ANSWERS = {
  start: 'yes',
  platforms: 'android, web',
  pair: 'qr',
  number: `+${FRIEND}`,
  shown: 'renders',
  'shown.list.web': 'nothing',
  refresh: 'yes',
  received: 'done',
  presence: 'ready',
  typing: 'yes',
  hidden: 'done',
  restart: 'done',
  remove: 'yes',
}

/** An address that stays the same when the server behind it is started again on another port. */
async function startForwarder() {
  let target = 0
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1')
    for (const end of [socket, onward])
      end.on('error', () => [socket, onward].forEach((one) => one.destroy()))
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url: string) => void (target = Number(new URL(url).port)),
    close: () => server.close(),
  }
}

describe('live-check', () => {
  let storeLocation: StoreLocation
  let gateway: Started
  let directory: string
  let forwarder: Awaited<ReturnType<typeof startForwarder>>
  const key = newKey()
  const start = async () => {
    gateway = await startWithKey(storeLocation, key, await onSharedSandbox())
    forwarder.leadTo(gateway.url)
  }
  before(async () => {
    storeLocation = await (engines[0] as (typeof engines)[number]).createLocation()
    directory = await scratchDirectory()
    forwarder = await startForwarder()
    await start()
    for (const [index, number] of [OWNER, FRIEND, HIDDEN].entries())
      await world(gateway, 'POST /phones', { number, name: NAMES[index] })
    await world(gateway, `PATCH /phones/${HIDDEN}`, { hidesNumber: true })
  })
  after(async () => {
    forwarder.close()
    await gateway.stop()
    await storeLocation.dispose()
  })

  function conduct(...args: string[]) {
    const child: ChildProcess = startCli(['live-check', '--json', ...args], {
      SWITCHBOARD_URL: forwarder.url,
      API_KEY: key,
    })
    let [questions, printed] = ['', '']
    const heard = new EventEmitter().setMaxListeners(0)
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      questions += text
      heard.emit('text')
    })
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const closed = once(child, 'close') as Promise<[number | null, string | null]>
    void closed.then(() => heard.emit('text'))
    return {
      child,
      /** Resolves with what the pattern captures, once the command has printed it. */
      async asks(pattern: RegExp): Promise<string> {
        for (;;) {
          const found = pattern.exec(questions)
          if (found) return found[1] ?? ''
          assert.ok(child.exitCode === null && child.signalCode === null, `no ${pattern} in: ${questions}`)
          await once(heard, 'text')
        }
      },
      async ended() {
        const [code] = await closed
        return { code, questions, json: JSON.parse(printed) }
      },
    }
  }

  const instanceName = async (): Promise<string> => {
    const { instances } = await api(gateway, 'GET /instance/list')
    return instances.at(-1).apiInstanceName
  }
  const onPhone = (act: string, body: object) => world(gateway, `POST /phones/${FRIEND}/${act}`, body)
  const file = (bytes: Buffer, type: string, more: object = {}) => ({
    to: OWNER,
    media: { type, base64: bytes.toString('base64'), ...more },
  })

  /** What the person does with the recipient's phone, by the text that asks for it. */
  async function playRecipient(asks: (pattern: RegExp) => Promise<unknown>): Promise<void> {
    const withText = (text: string): Promise<string> =>
      until(`"${text}" on the phone`, async () => {
        const { messages } = await world(gateway, `GET /phones/${FRIEND}/messages?limit=100`)
        return messages.find((message: object) => JSON.stringify(message).includes(text))?.id
      })
    await asks(/send a text/)
    await onPhone('send', { to: OWNER, text: 'a private text' })
    await asks(/send a photo/)
    await onPhone('send', file(png(4, 4), 'image'))
    await asks(/send a voice message/)
    await onPhone('send', file(ogg(), 'audio', { voiceNote: true, mimetype: 'audio/ogg; codecs=opus' }))
    await asks(/react to a message/)
    await onPhone('react', { messageId: await withText('A reply'), emoji: '👋' })
    await asks(/tap a button/)
    await onPhone('tap', { messageId: await withText('Two buttons?'), buttonId: 'yes' })
    await asks(/choose a row/)
    await onPhone('tap', { messageId: await withText('A list?'), rowId: 'tea' })
    await asks(/vote in the poll/)
    await onPhone('vote', { messageId: await withText('Which one?'), options: ['First'] })
    await asks(/edit the text that it sent/)
    await onPhone('edit', { messageId: await withText('a private text'), text: 'a changed text' })
    await asks(/type a few letters/)
    await asks(/presence: online: reported/)
    await onPhone('typing', { chat: OWNER, state: 'typing' })
    await asks(/show "typing…" in the chat/)
    await asks(/account that shows no number/)
    await world(gateway, `POST /phones/${HIDDEN}/send`, { to: OWNER, text: 'a private text of a stranger' })
  }

  test('pairs, sends every kind, receives, reconnects and restarts; the report has all of it and nothing private', async () => {
    const report = join(directory, 'report.md')
    const answers = join(directory, 'answers.json')
    await writeFile(answers, JSON.stringify(ANSWERS))
    const { asks, ended } = conduct('--answers', answers, '--report', report)
    await asks(/scan the SECOND code[^]*Code 1:/)
    const name = await instanceName()
    const scan = () => ask(gateway, `POST /sandbox/v1/phones/${OWNER}/scan`, { instanceName: name })
    await world(gateway, 'POST /faults', { kind: 'linking', number: OWNER, variant: 'registration_refresh' })
    // The network refuses the scan, because it retires the first code.
    assert.notEqual((await scan()).status, 200)
    await asks(/Code 2:/)
    assert.equal((await scan()).status, 200)
    await playRecipient(asks)
    await asks(/Stop the server and start it again/)
    const { messages } = await api(gateway, `GET /messages?instanceName=${name}&limit=100`)
    await gateway.stop()
    await start()
    const { code, questions, json } = await ended()

    assert.equal(code, 1, `one kind was not shown: ${questions}`)
    const text = await readFile(report, 'utf8')
    for (const kind of [
      ...MESSAGE_KINDS,
      'reply',
      'view once',
      'status',
      'edit',
      'reaction',
      'pin',
      'delete',
    ])
      if (kind !== 'list')
        assert.match(
          text,
          new RegExp(`^\\| ${kind} \\| ok \\| [\\d.]+ s \\| .* \\| renders \\| renders \\|$`, 'm'),
        )
    assert.match(text, /^\| list \| ok \| .* \| renders \| nothing \|$/m)
    for (const type of ['text', 'image', 'audio', 'reaction', 'button_reply', 'list_reply', 'poll_vote'])
      assert.match(text, new RegExp(`^\\| ${type} \\| ok \\| [\\d.]+ s \\|$`, 'm'))
    for (const step of [
      'edit',
      'presence: online',
      'presence: typing',
      'typing is shown',
      'message with a hidden number',
      'answer to a hidden number',
      'refresh of the QR code',
      'pairing by QR code',
      'reconnect',
      'restart of the server',
      'log-out',
    ])
      assert.match(text, new RegExp(`^\\| ${step} \\| ok \\| [\\d.]+ s \\|$`, 'm'))
    assert.match(text, /^\| connecting\/awaiting_scan \| [\d.]+ s \|$/m)
    // The network closes the connection of a pairing with this code.
    assert.match(text, /^\| 515 \| 1 \|$/m)
    assert.match(text, /^\| Library \| \d+\.\d+\.\d+\S* \|$/m)
    assert.match(text, /^\| Complete \| yes \|$/m)

    const ids = (messages as { messageId: string }[]).map(({ messageId }) => messageId)
    assert.ok(ids.length > 20)
    const texts = ['Live check: *bold*', 'private text', 'Which one?', '@s.whatsapp.net', '@lid']
    for (const secret of [OWNER, FRIEND, HIDDEN, ...NAMES, 'Canary', name, key, ...ids, ...texts])
      for (const published of [text, JSON.stringify(json)])
        assert.ok(!published.includes(secret), `${secret} is in the report`)
    assert.deepEqual((await api(gateway, 'GET /instance/list')).instances, [])
  })

  test('at the terminal: a wrong answer is asked again, a passkey is asked for, and Ctrl-C writes what is known by then', async () => {
    const report = join(directory, 'interrupted.md')
    const { child, asks, ended } = conduct('--report', report)
    child.stdin!.write('perhaps\ny\nios\ncode\n')
    await asks(/Expected: yes, no/)
    await asks(/Number of the phone that you link/)
    child.stdin!.write(`${OWNER}\n`)
    const firstCode = await asks(/and type: (\S{8})\n/)
    const name = await instanceName()
    await world(gateway, `POST /phones/${OWNER}/passkey`, { demanded: true })
    for (const variant of ['code_refresh', 'late_request'])
      await world(gateway, 'POST /faults', { kind: 'linking', number: OWNER, variant })
    const refused = await ask(gateway, `POST /sandbox/v1/phones/${OWNER}/enter-code`, { code: firstCode })
    assert.notEqual(refused.status, 200, 'the network replaces the code')
    const pairingCode = await asks(/and type: \S{8}\n[^]*and type: (\S{8})\n/)
    await world(gateway, `POST /phones/${OWNER}/enter-code`, { code: pairingCode })
    const token = await asks(/demands the passkey[^]*\/passkey#(\S+)\n/)
    const { passkey } = await callSuccessfully(gateway, 'POST /session/passkey', { token })
    const signed = await world(gateway, `POST /phones/${OWNER}/passkey/assertion`, {
      options: passkey.options,
    })
    const { assertion } = signed
    await callSuccessfully(gateway, 'POST /session/passkey/assertion', { token, assertion })
    const code = await asks(/Compare the code on the phone with (\S{9}),/)
    await callSuccessfully(gateway, 'POST /session/passkey/confirm', { token, code })
    await asks(/Number that gets the messages/)
    child.kill('SIGINT')
    const { code: exitCode, json } = await ended()

    assert.equal(exitCode, 1)
    assert.equal(json.isInterrupted, true)
    const text = await readFile(report, 'utf8')
    assert.match(text, /^\| Complete \| no \|$/m)
    for (const step of [
      'pairing by pairing code',
      'refresh of the pairing code',
      'passkey with comparison of the codes',
    ])
      assert.match(text, new RegExp(`^\\| ${step} \\| ok \\| `, 'm'))
    assert.match(text, /^\| open \| [\d.]+ s \|$/m)
    assert.match(text, /^## Sent messages\n\nNot checked\.$/m)
    for (const secret of [OWNER, name, firstCode, pairingCode, token, code])
      assert.ok(!text.includes(secret), secret)
  })

  test('an existing file is not overwritten, and a missing answer is named', async () => {
    const report = join(directory, 'kept.md')
    const answers = join(directory, 'few.json')
    await writeFile(report, 'mine')
    await writeFile(answers, JSON.stringify({ start: 'yes', platforms: 'android' }))
    const run = async (path: string) => {
      const child = startCli(['live-check', '--answers', answers, '--report', path], {
        SWITCHBOARD_URL: forwarder.url,
        API_KEY: key,
      })
      let errors = ''
      child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text))
      const [code] = (await once(child, 'close')) as [number]
      return { code, errors }
    }
    const kept = await run(report)
    assert.equal(kept.code, 2)
    assert.match(kept.errors, /kept\.md: cannot be written \(EEXIST\)/)
    assert.equal(await readFile(report, 'utf8'), 'mine')
    const missing = await run(join(directory, 'missing.md'))
    assert.equal(missing.code, 2)
    assert.match(missing.errors, /--answers: no answer to pair/)
    assert.match(await readFile(join(directory, 'missing.md'), 'utf8'), /^\| Paired by \| not paired \|$/m)
  })
})
