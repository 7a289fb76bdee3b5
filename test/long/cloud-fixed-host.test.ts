// Clients of the Cloud API whose code names graph.facebook.com, led to the gateway as docs/compat/cloud.md says: certificates by its commands,
// the proxy of docs/recipes, and variables of the environment. The clients are told nothing else.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { shellBlocks } from '../support/document-commands.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { api, linkedInstance, newNumber, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'
import { onSharedSandbox } from '../support/shared-sandbox.ts'
import { newKey, type Started, startWithKey } from '../support/started.ts'

const root = join(import.meta.dirname, '../..')
const document = 'docs/compat/cloud.md'
const commands = shellBlocks(document, readFileSync(join(root, document), 'utf8')).find((block) =>
  block.text.includes('openssl'),
)

const works = (command: string, args: string[]): boolean => spawnSync(command, args).status === 0
const hasOpenssl = works('openssl', ['version'])
if (process.env.CI === 'true') assert.ok(hasOpenssl, 'there is no openssl here')

/** Sends a text, sends an uploaded picture, and reads the file of a received message. */
const NODE_PROGRAM = `
const [id, token, to, file] = process.argv.slice(1)
const headers = { authorization: 'Bearer ' + token }
const call = async (path, options) => {
  const response = await fetch('https://graph.facebook.com/v21.0/' + path, { headers, ...options })
  return { status: response.status, body: await response.json() }
}
const message = (fields) =>
  call(id + '/messages', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to, ...fields }),
  })
const form = new FormData()
form.set('messaging_product', 'whatsapp')
form.set('file', new Blob([Buffer.from('${png(4, 4).toString('base64')}', 'base64')], { type: 'image/png' }), 'a.png')
const unknown = await call('nobody-00000000')
const text = await message({ type: 'text', text: { body: 'Olá from Node' } })
const { body: media } = await call(id + '/media', { method: 'POST', body: form })
const image = await message({ type: 'image', image: { id: media.id } })
const { body: received } = await call(file)
const download = await fetch(received.url, { headers })
const bytes = Buffer.from(await download.arrayBuffer()).toString('base64')
console.log(JSON.stringify({ unknown: unknown.status, text, image, url: received.url, bytes }))
`

const LIBRARY_PROGRAM = `
import { WhatsAppAPI } from 'whatsapp-api-js'
import { Text } from 'whatsapp-api-js/messages'
const [id, token, to] = process.argv.slice(1)
const client = new WhatsAppAPI({ token, v: 'v21.0', secure: false })
console.log(JSON.stringify(await client.sendMessage(id, to, new Text('From a library'))))
`

const PYTHON_PROGRAM = `
import json, sys, requests
id, token, to = sys.argv[1:]
answer = requests.post(
    f"https://graph.facebook.com/v21.0/{id}/messages",
    headers={"Authorization": f"Bearer {token}"},
    json={"messaging_product": "whatsapp", "to": to, "type": "text", "text": {"body": "From Python"}},
)
print(json.dumps(answer.json()))
`

const PHP_PROGRAM = `
[, $id, $token, $to] = $argv;
$call = curl_init("https://graph.facebook.com/v21.0/$id/messages");
curl_setopt_array($call, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ["Authorization: Bearer $token", "Content-Type: application/json"],
    CURLOPT_POSTFIELDS => json_encode(
        ["messaging_product" => "whatsapp", "to" => $to, "type" => "text", "text" => ["body" => "From PHP"]]),
]);
echo curl_exec($call);
`

for (const engine of behaviourEngines('sqlite'))
  describe(`clients with a fixed host on ${engine.name}`, {
    skip: hasOpenssl ? false : 'there is no openssl here',
  }, () => {
    const [owner, friend] = [newNumber(), newNumber()]
    const storeLocation = engine.createLocation()
    let directory = ''
    let gateway: Started
    let proxy: ChildProcessWithoutNullStreams
    let proxyUrl = ''
    let id = ''
    let ca = ''

    before(async () => {
      directory = await temporaryDirectory()
      assert.ok(commands, 'the document has commands for the certificates')
      const made = spawnSync('sh', ['-e', '-c', commands.text], { cwd: directory, encoding: 'utf8' })
      assert.equal(made.status, 0, made.stderr)
      ca = join(directory, 'cloud-proxy/ca.pem')
      gateway = await startWithKey(await storeLocation, newKey(), {
        ...(await onSharedSandbox()),
        COMPAT: 'cloud',
      })
      id = await linkedInstance(gateway, owner)
      await world(gateway, 'POST /phones', { number: friend, name: 'Bob' })
      proxy = spawn(process.execPath, [join(root, 'docs/recipes/cloud-host-proxy.mjs')], {
        cwd: directory,
        env: { ...process.env, SWITCHBOARD_URL: gateway.url, PORT: '0' },
      })
      const [line] = (await Promise.race([
        once(createInterface(proxy.stdout), 'line'),
        text(proxy.stderr).then((errors) => assert.fail(`the proxy ended: ${errors}`)),
      ])) as [string]
      proxyUrl = /HTTPS_PROXY=(\S+)$/.exec(line)?.[1] ?? assert.fail(line)
    })
    after(async () => {
      proxy?.kill()
      await gateway?.stop('SIGKILL')
      await rm(directory, { recursive: true, force: true })
      await (await storeLocation).dispose()
    })

    /** Runs a program to its end; its output and its errors. */
    async function run(command: string, args: string[], environment: Record<string, string>) {
      const { NO_PROXY: _ofThisMachine, no_proxy: _inSmallLetters, ...inherited } = process.env
      const child = spawn(command, args, {
        cwd: root,
        env: { ...inherited, HTTPS_PROXY: proxyUrl, ...environment },
      })
      const [output, errors] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      return { status: child.exitCode, output, errors }
    }
    const answerOf = ({ status, output, errors }: Awaited<ReturnType<typeof run>>) => {
      assert.equal(status, 0, errors + output)
      return JSON.parse(output)
    }
    const node = (program: string, args: string[], more: Record<string, string> = {}) =>
      run(process.execPath, ['--input-type=module', '-e', program, ...args], {
        NODE_USE_ENV_PROXY: '1',
        NODE_EXTRA_CA_CERTS: ca,
        ...more,
      })
    const shown = async (messageId: string) =>
      (await world(gateway, `GET /phones/${friend}/messages/${messageId}?waitMs=30000`)).message
    const textOf = async (answer: { messages: { id: string }[] }): Promise<string> =>
      (await shown(answer.messages[0]?.id ?? assert.fail(JSON.stringify(answer)))).text

    test('a program in Node sends a text and an uploaded picture, and reads a received file', async () => {
      const media = { base64: png(3, 3).toString('base64'), mimetype: 'image/png', type: 'image' }
      const { messageId: received } = await world(gateway, `POST /phones/${friend}/send`, {
        to: owner,
        media,
      })
      await until('the received picture', async () => {
        const { messages } = await api(gateway, `GET /messages?instanceName=${id}`)
        return messages.find(({ messageId }: { messageId: string }) => messageId === received)
      })
      const file = `file-${Buffer.from(`${id}/${received}`).toString('base64url')}`
      const done = answerOf(await node(NODE_PROGRAM, [id, gateway.key, friend, file]))
      assert.deepEqual([done.unknown, done.text.status, done.image.status], [400, 200, 200])
      assert.equal(await textOf(done.text.body), 'Olá from Node')
      assert.equal((await shown(done.image.body.messages[0].id)).kind, 'image')
      assert.match(done.url, /^https:\/\/graph\.facebook\.com\/compat\/cloud\/v21\.0\//)
      assert.equal(done.bytes, media.base64)
    })

    test('a library with a fixed address sends a text', async () => {
      const answer = answerOf(await node(LIBRARY_PROGRAM, [id, gateway.key, friend]))
      assert.equal(await textOf(answer), 'From a library')
    })

    test('curl sends a text', async (t) => {
      if (!works('curl', ['--version'])) return t.skip('there is no curl here')
      const body = { messaging_product: 'whatsapp', to: friend, type: 'text', text: { body: 'From curl' } }
      const url = `https://graph.facebook.com/v21.0/${id}/messages`
      const headers = [`Authorization: Bearer ${gateway.key}`, 'Content-Type: application/json']
      const args = ['-sS', url, ...headers.flatMap((header) => ['-H', header]), '-d', JSON.stringify(body)]
      assert.equal(await textOf(answerOf(await run('curl', args, { CURL_CA_BUNDLE: ca }))), 'From curl')
    })

    test('a program in Python with requests sends a text', async (t) => {
      const python = process.env.TEST_PYTHON ?? 'python3'
      if (!works(python, ['-c', 'import requests'])) return t.skip('there is no Python with requests here')
      const args = ['-c', PYTHON_PROGRAM, id, gateway.key, friend]
      assert.equal(await textOf(answerOf(await run(python, args, { REQUESTS_CA_BUNDLE: ca }))), 'From Python')
    })

    test('a program in PHP with curl sends a text', async (t) => {
      if (!works('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']))
        return t.skip('there is no PHP with curl here')
      const args = ['-d', `curl.cainfo=${ca}`, '-r', PHP_PROGRAM, '--', id, gateway.key, friend]
      assert.equal(await textOf(answerOf(await run('php', args, {}))), 'From PHP')
    })

    /** A program that hands the whole request to the proxy. */
    const throughProxy = async (path: string, method = 'GET') => {
      const { hostname, port } = new URL(proxyUrl)
      const headers = { authorization: `Bearer ${gateway.key}` }
      const sent = request({ hostname, port, method, path, headers }).end()
      const event = await Promise.race([
        once(sent, 'response').then(([answer]) => answer),
        once(sent, 'connect').then(([answer, socket]) => {
          socket.destroy()
          return answer
        }),
      ])
      if (method === 'CONNECT') return { status: event.statusCode, body: '' }
      return { status: event.statusCode, body: await text(event) }
    }

    test('a request that is handed to the proxy as a whole is led here as well', async () => {
      const { status, body } = await throughProxy(`https://graph.facebook.com/v21.0/${id}?fields=id`)
      assert.deepEqual([status, JSON.parse(body).id], [200, id])
    })

    test('other hosts are refused, and so is a wrong key', async () => {
      for (const host of ['example.com:443', 'graph.facebook.com:80', 'graph.facebook.com.example.com:443'])
        assert.equal((await throughProxy(host, 'CONNECT')).status, 403, host)
      for (const url of ['https://example.com/', 'http://graph.facebook.com/', '/v21.0/me'])
        assert.equal((await throughProxy(url)).status, 403, url)
      const program = `
        const response = await fetch('https://graph.facebook.com/v21.0/me', { headers: { authorization: 'Bearer wrong' } })
        console.log(JSON.stringify([response.status, (await response.json()).error.code]))`
      assert.deepEqual(answerOf(await node(program, [])), [401, 190])
    })

    test('the authority is limited to this host, and its key is gone', () => {
      assert.ok(!existsSync(join(directory, 'cloud-proxy/ca-key.pem')))
      const show = 'openssl x509 -in cloud-proxy/ca.pem -noout -ext nameConstraints'
      const { stdout } = spawnSync('sh', ['-c', show], { cwd: directory, encoding: 'utf8' })
      assert.match(stdout, /critical\s+Permitted:\s+DNS:graph\.facebook\.com\s*$/)
    })

    test('a program without the certificate of the authority ends with an error and sends nothing', async () => {
      const { status, errors } = await node(NODE_PROGRAM, [id, gateway.key, friend, 'x'], {
        NODE_EXTRA_CA_CERTS: '',
      })
      assert.notEqual(status, 0)
      assert.match(errors, /UNABLE_TO_|SELF_SIGNED|unable to/)
    })
  })
