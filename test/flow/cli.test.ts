// The command line against a listening gateway. What its process adds, as exit codes and the input of a pipe, is shown by a process of
// its own; what commands do, in this one.
import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { routes } from '../../src/contract/routes.ts'
import { ANA, BEN, GROUP, reportGroup } from '../contract/group-rules.ts'
import { demandPasskey } from '../contract/passkey-sessions.ts'
import { done, type Environment, runCli, runCliHere, scratchDirectory } from '../support/cli.ts'
import { type Engine, engines } from '../support/engines.ts'
import { type Account, type Gateway, randomNumber, startGateway } from '../support/gateway.ts'
import { signedAssertion } from '../support/passkey-assertion.ts'

describe('the command line', () => {
  let gateway: Gateway
  let account: Account
  let directory: string
  let environment: Environment
  before(async () => {
    gateway = await startGateway(engines[0] as Engine)
    account = await gateway.account()
    directory = await scratchDirectory()
    environment = {
      DATA_DIR: directory,
      SWITCHBOARD_URL: gateway.url,
      API_KEY: account.key,
      OPERATOR_KEY: gateway.app.operatorKey,
    }
  })
  after(() => gateway.stop())
  const cli = (args: string[], input?: string) => runCliHere(args, environment, input)
  const ownProcess = (args: string[], input?: string) => runCli(args, environment, input)

  test('help exists at every level and exits with 0', async () => {
    const [all, group, one] = await Promise.all([
      ownProcess(['--help']),
      cli(['keys', '--help']),
      cli(['keys', 'create', '--help']),
    ])
    assert.match(done(all).stdout, /doctor .*\n[^]*backup .*\n[^]*send text/)
    assert.match(done(group).stdout, /keys rotate/)
    assert.doesNotMatch(group.stdout, /send text/)
    assert.match(done(one).stdout, /keys create NAME[^]*--scope SCOPE[^]*--url URL/)
  })

  test('a wrong command line exits with 2 and names the error', async () => {
    const cases: [string[], RegExp][] = [
      [[], /no command given/],
      [['fly'], /unknown command: fly/],
      [['keys', 'fly'], /unknown command: keys fly/],
      [['keys', 'revoke'], /ID is missing/],
      [['instances', 'list', 'surplus'], /unexpected argument: surplus/],
      [['accounts', 'create', 'Acme'], /--plan is missing/],
      [['keys', 'list', '--key', 'secret'], /Unknown option '--key'/],
      [['send', 'text', '--delay', 'soon'], /--delay: expected a whole number/],
      [['instances', 'list', '--url', 'ftp://x'], /--url: expected an http or https URL/],
    ]
    await Promise.all(
      cases.map(async ([args, message]) => {
        for (const run of args[1] === 'fly' ? [cli, ownProcess] : [cli]) {
          const { code, stdout, stderr } = await run(args)
          assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}: ${stderr}`)
          assert.match(stderr, message)
        }
      }),
    )
  })

  test('invalid settings exit with 78 and name the variable, not its value', async () => {
    const short = await runCli(['instances', 'list'], { ...environment, API_KEY: 'too-short-canary' })
    assert.equal(short.code, 78)
    assert.match(short.stderr, /API_KEY: expected at least 32 characters/)
    assert.doesNotMatch(short.stderr, /canary/)
    const none = await runCliHere(['instances', 'list'], { ...environment, API_KEY: undefined })
    assert.equal(none.code, 78)
    assert.match(none.stderr, /API_KEY: not set, and .*first-api-key cannot be read/)
  })

  test('a refusal exits with 1, its reason on stderr and nothing on stdout', async () => {
    const unknown = await ownProcess(['instances', 'state', 'unknown-00000000', '--json'])
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /no such instance.*\(instance_not_found, request req-/)
    const unreachable = await cli(['instances', 'list', '--url', 'http://127.0.0.1:1'])
    assert.deepEqual([unreachable.code, unreachable.stdout], [1, ''])
    assert.match(unreachable.stderr, /\(unreachable\); check that the server runs/)
  })

  test('keys: created, listed, rotated and revoked; the key itself is shown once', async () => {
    const created = done(
      await cli(['keys', 'create', 'Shop', '--scope', 'send', '--scope', 'keys', '--json']),
    ).json
    assert.deepEqual(created.apiKey.scopes, ['send', 'keys'])
    const text = done(await cli(['keys', 'create', 'Other'])).stdout
    assert.match(text, /shown only once:\n\n {2}sk_\w{38}\n/)
    const id = String(created.apiKey.id)
    const rotated = done(await cli(['keys', 'rotate', id, '--overlap-hours', '0', '--json'])).json
    assert.notEqual(rotated.key, created.key)
    const revoked = done(await cli(['keys', 'revoke', String(rotated.apiKey.id), '--json'])).json
    assert.notEqual(revoked.apiKey.revokedAt, null)
    const listed = done(await cli(['keys', 'list', '--account', String(account.id)])).stdout
    assert.match(listed, /Shop/)
    for (const key of [created.key, rotated.key]) assert.ok(!listed.includes(key))
    const answer = await gateway.call('listMessages', { key: rotated.key })
    assert.equal(answer.status, 401)
  })

  test('plans and accounts: the operator creates, changes and deletes them', async () => {
    const limits = ['--instances', '2', '--messages', 'none']
    const { plan } = done(
      await cli(['plans', 'create', 'Small', '--amount', '900', ...limits, '--json']),
    ).json
    assert.deepEqual(
      [plan.amount, plan.limits.instances, plan.limits.users, plan.limits.messages],
      [900, 2, 'Unlimited', null],
    )
    done(await cli(['plans', 'update', String(plan.id), '--body', '-'], '{"amount": 1000}'))
    assert.match(done(await cli(['plans', 'list'])).stdout, /Small +1000 usd\/month/)

    const made = done(await cli(['accounts', 'create', 'Acme', '--plan', String(plan.id), '--json'])).json
    const id = String(made.account.id)
    const limitsShown = done(await runCliHere(['limits'], { ...environment, API_KEY: made.key })).stdout
    assert.match(limitsShown, /account: +Acme[^]*instances +0 +2 +2/)
    done(
      await cli([
        'accounts',
        'subscription',
        id,
        '--status',
        'canceled',
        '--period-end',
        '2020-01-01T00:00:00Z',
      ]),
    )
    assert.match(done(await cli(['accounts', 'show', id])).stdout, /status: +canceled\naccess: +false/)
    done(await cli(['accounts', 'rename', id, 'Acme Ltd']))
    assert.match(done(await cli(['accounts', 'list', '--limit', '100'])).stdout, /Acme Ltd/)
    assert.equal((await cli(['accounts', 'subscription', id])).code, 2)
    done(await cli(['accounts', 'delete', id]))
    done(await cli(['plans', 'delete', String(plan.id)]))
  })

  test('groups: listed, shown, created, changed and invited to; a number that was not added exits with 1', async () => {
    const { name, id } = await gateway.openInstance(account)
    await reportGroup(gateway, id)
    const instance = ['--instance', name]
    assert.match(
      done(await cli(['groups', 'list', ...instance])).stdout,
      new RegExp(`${GROUP} +Team +2 +true`),
    )
    const shown = done(await cli(['groups', 'show', GROUP, ...instance])).stdout
    assert.match(shown, new RegExp(`participants: +${ANA.phone}, ${BEN.phone} \\(admin\\)`))
    const created = done(await cli(['groups', 'create', 'Team', ...instance, '--member', ANA.phone])).stdout
    assert.match(created, new RegExp(`group jid: +${GROUP}[^]*${ANA.phone} +added`))
    done(await cli(['groups', 'add', GROUP, ...instance, '--number', ANA.phone, '--number', '5511900000000']))
    const removed = await cli(['groups', 'remove', GROUP, ...instance, '--number', '5511900000000'])
    assert.deepEqual([removed.code, /5511900000000 +not_a_member/.test(removed.stdout)], [1, true])
    const link = /^https:\/\/chat\.whatsapp\.com\/\w{22}$/
    const shownLink = done(await cli(['groups', 'invite', GROUP, ...instance])).stdout.trim()
    const newLink = done(await cli(['groups', 'invite', GROUP, ...instance, '--reset'])).stdout.trim()
    assert.match(shownLink, link)
    assert.match(newLink, link)
    assert.notEqual(shownLink, newLink)
    assert.match((await cli(['groups', 'list'])).stderr, /--instance is missing/)
  })

  test('nodes: lists the only process, and refuses to drain or resume it', async () => {
    const [node] = done(await cli(['nodes', '--json'])).json.nodes
    assert.deepEqual([node.status, node.leaseSecondsLeft, node.isThis], ['live', null, true])
    assert.match(
      done(await cli(['nodes'])).stdout,
      /live, lead, answers[^]*\n\nInstances that no node serves: 0\n$/,
    )
    for (const action of ['drain', 'resume']) {
      const { code, stderr } = await cli(['nodes', action, node.id])
      assert.equal(code, 1)
      assert.match(stderr, /it works alone[^]*\(node_works_alone/)
    }
    assert.match((await cli(['nodes', 'drain', '77'])).stderr, /There is no such node/)
  })

  test('instances: created, connected, watched, logged out and deleted; the QR code is a private file', async () => {
    const { instance } = done(await cli(['instances', 'create', 'My shop', '--json'])).json
    const name: string = instance.apiInstanceName
    const image = join(directory, 'qr.png')
    done(await cli(['instances', 'qr', name, image]))
    assert.deepEqual([...(await readFile(image)).subarray(1, 4)], [...Buffer.from('PNG')])
    assert.equal((await stat(image)).mode & 0o777, 0o600)
    const connected = done(await cli(['instances', 'connect', name, '--number', '5511912345678'])).stdout
    assert.match(connected, /pairing code: +ABCD1234/)
    await gateway.sessions.open(instance.id, '5511912345678')
    assert.match(
      done(await cli(['instances', 'state', name])).stdout,
      /state: +open\n[^]*number: +5511912345678/,
    )
    assert.match(done(await cli(['instances', 'list'])).stdout, new RegExp(`${name} +My shop +open`))
    done(await cli(['instances', 'restart', name]))
    assert.match((await cli(['instances', 'delete', name])).stderr, /instance_still_connected/)
    done(await cli(['instances', 'logout', name]))
    assert.match(done(await cli(['instances', 'delete', name])).stdout, /is deleted/)
  })

  test('instances passkey: shows the step, creates a link, hands in an assertion, confirms the code, and cancels', async () => {
    const running = { ...gateway, mine: account }
    const { name, challenge, advance, network } = await demandPasskey(running)
    const expiresAt = gateway.clock.now() + 300_000
    const passkey = (...args: string[]) => cli(['instances', 'passkey', name, ...args])
    assert.match(
      done(await passkey()).stdout,
      /step: +assertion_needed\n[^]*next: +use the passkey on https:/,
    )
    assert.equal(done(await passkey('--json')).json.passkey.options.challenge, challenge)
    assert.match(done(await passkey('--link')).stdout, /link: +http[^ ]+\/passkey#[\w.-]+\n/)
    const wrong = JSON.stringify(signedAssertion({ challenge: 'AAAA' }))
    const refused = await cli(['instances', 'passkey', name, '--assertion', '-'], wrong)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /answers another challenge[^]*passkey_wrong_challenge/)
    network.answer = () => advance({ step: 'confirmation_needed', code: 'ABCD-1234', expiresAt })
    const file = join(directory, 'assertion.json')
    await writeFile(file, JSON.stringify(signedAssertion({ challenge })))
    assert.match(done(await passkey('--assertion', file)).stdout, /code: +ABCD-1234\n/)
    assert.match((await passkey('--confirm', 'ABCD-9999')).stderr, /passkey_other_code/)
    network.confirm = () => advance({ step: 'finishing', code: 'ABCD-1234', expiresAt })
    assert.match(done(await passkey('--confirm', 'abcd1234')).stdout, /step: +finishing/)
    const both = await passkey('--link', '--confirm', 'ABCD-1234')
    assert.deepEqual([both.code, /only one of/.test(both.stderr)], [2, true])
    assert.match((await passkey('--cancel')).stderr, /passkey_not_expected/, 'the code is confirmed')
    const other = (await demandPasskey(running)).name
    assert.match(done(await cli(['instances', 'passkey', other, '--cancel'])).stdout, /^Cancelled/)
    assert.match(done(await cli(['instances', 'state', other])).stdout, /passkey_cancelled/)
  })

  test('send: every kind is sent, from options or from a request body', async () => {
    const { name } = await gateway.openInstance(account)
    const number = randomNumber()
    const to = ['--instance', name, '--number', number]
    const byOptions: [string, string[], Record<string, unknown>][] = [
      ['text', [...to, '--message', 'Olá 👋', '--delay', '0'], { message: 'Olá 👋' }],
      [
        'media',
        [...to, '--type', 'document', '--media-url', 'https://example.com/a.pdf', '--file-name', 'a.pdf'],
        { mediaUrl: 'https://example.com/a.pdf', fileName: 'a.pdf' },
      ],
      ['location', [...to, '--latitude=-23.5', '--longitude=-46.6'], { latitude: -23.5, longitude: -46.6 }],
      [
        'poll',
        [...to, '--question', 'When?', '--option', 'Now', '--option', 'Later'],
        { pollName: 'When?', options: ['Now', 'Later'] },
      ],
      [
        'group',
        ['--instance', name, '--group', '120363000000000000@g.us', '--message', 'All'],
        { message: 'All' },
      ],
    ]
    for (const [kind, options, expected] of byOptions) {
      const { messageId } = done(await cli(['send', kind, ...options, '--json'])).json
      const { content } = (await account.call('getMessage', { params: { messageId } })).json.message
      assert.deepEqual({ ...content, ...expected }, content, kind)
    }
    for (const id of ['sendButton', 'sendList', 'sendCta', 'sendCarousel'] as const) {
      const kind = id.slice('send'.length).toLowerCase()
      const [example] = (routes[id].body.meta()?.examples ?? []) as unknown[]
      const sent = done(
        await cli(['send', kind, ...to, '--body', '-', '--json'], JSON.stringify(example)),
      ).json
      assert.deepEqual(
        [sent.type, sent.instanceName, sent.number],
        [kind, name, number],
        'options replace fields of the body',
      )
    }
  })

  test('send: an idempotency key sends once; messages are listed and cancelled', async () => {
    const { name } = await gateway.openInstance(account)
    const args = ['send', 'text', '--instance', name, '--number', randomNumber(), '--message', 'once']
    const first = done(await cli([...args, '--idempotency-key', 'order-7', '--json'])).json
    const second = done(await cli([...args, '--idempotency-key', 'order-7', '--json'])).json
    assert.equal(second.messageId, first.messageId)
    const listed = done(await cli(['messages', 'list', '--instance', name, '--json'])).json
    assert.equal(listed.count, 1)
    const cancelled = done(await cli(['messages', 'cancel', first.messageId])).stdout
    assert.match(cancelled, /status: +failed\nfailure: +canceled/)
  })

  test('messages cancel-all cancels what was sent with a reference, and nothing else', async () => {
    const { name } = await gateway.openInstance(account)
    const args = ['send', 'text', '--instance', name, '--number', randomNumber(), '--message', 'hi']
    const sent = done(await cli([...args, '--reference', 'campaign', '--json'])).json
    done(await cli(args))
    assert.match(done(await cli(['messages', 'cancel-all', 'campaign'])).stdout, /canceled: +1\n/)
    const query = ['messages', 'list', '--instance', name, '--reference', 'campaign', '--json']
    const { messages } = done(await cli(query)).json
    assert.deepEqual(
      messages.map(({ messageId, status }: { messageId: string; status: string }) => [messageId, status]),
      [[sent.messageId, 'failed']],
    )
    const left = done(
      await cli(['messages', 'list', '--instance', name, '--status', 'queued', '--json']),
    ).json
    assert.equal(left.count, 1)
  })

  test('webhooks: saved with a secret from a pipe, listed masked, changed and deleted', async () => {
    const secret = 'my-own-secret-canary'
    const saved = done(
      await ownProcess(
        [
          'webhooks',
          'save',
          'https://example.com/a',
          '--event',
          'messages.upsert',
          '--secret-file',
          '-',
          '--json',
        ],
        `${secret}\n`,
      ),
    ).json.webhook
    assert.deepEqual([saved.secret, saved.events], [secret, ['messages.upsert']])
    const id = String(saved.id)
    const changed = done(await cli(['webhooks', 'save', '--id', id, '--disable', '--json'])).json.webhook
    assert.deepEqual([changed.enabled, changed.url], [false, saved.url])
    const { name } = await gateway.openInstance(account)
    const scope = async (...args: string[]) =>
      done(await cli(['webhooks', 'save', '--id', id, '--json', ...args])).json.webhook.instance
    assert.equal((await scope('--instance', name)).apiInstanceName, name)
    assert.equal(await scope('--all-instances'), null)
    const filtered = async (...args: string[]) => {
      const { filter, history } = done(await cli(['webhooks', 'save', '--id', id, '--json', ...args])).json
        .webhook
      return { ...filter, history }
    }
    const everyone = { chats: 'all', from: null, directions: ['outgoing', 'incoming'], history: false }
    assert.deepEqual(
      await filtered('--chats', 'people', '--from', '+5511912345678', '--direction', 'incoming', '--history'),
      { chats: 'people', from: ['5511912345678'], directions: ['incoming'], history: true },
    )
    assert.deepEqual(await filtered('--no-filter', '--no-history'), everyone)
    for (const wrong of [
      ['--chats', 'rooms'],
      ['--direction', 'both'],
      ['--no-filter', '--chats', 'people'],
    ])
      assert.equal((await cli(['webhooks', 'save', '--id', id, ...wrong])).code, 2, wrong.join(' '))
    const batched = async (...args: string[]) =>
      done(await cli(['webhooks', 'save', '--id', id, '--json', ...args])).json.webhook.batch as boolean
    assert.deepEqual(
      [await batched('--batch'), await batched(), await batched('--no-batch')],
      [true, true, false],
    )
    assert.equal((await cli(['webhooks', 'save', '--id', id, '--batch', '--no-batch'])).code, 2)
    const both = await cli(['webhooks', 'save', '--id', id, '--instance', name, '--all-instances'])
    assert.match(both.stderr, /cannot be used together/)
    for (const args of [
      ['webhooks', 'list'],
      ['webhooks', 'show', id],
    ]) {
      const { stdout } = done(await cli(args))
      assert.match(stdout, /\*{8}nary/)
      assert.ok(!stdout.includes(secret))
    }
    const tested = done(await cli(['webhooks', 'test', id, '--json'])).json
    assert.equal(tested.delivered, false, 'no receiver is there')
    const rotated = done(await cli(['webhooks', 'rotate-secret', id, '--overlap-hours', '1', '--json'])).json
    assert.match(rotated.webhook.secret, /^whsec_/)
    const listed = done(await cli(['webhooks', 'deliveries', id, '--status', 'dead', '--json'])).json
    assert.deepEqual(listed.deliveries, [])
    const since = new Date().toISOString()
    assert.match(done(await cli(['webhooks', 'replay', id, '--since', since])).stdout, /^0 events queued/)
    assert.match((await cli(['webhooks', 'replay', id, '1'])).stderr, /delivery_not_found/)
    assert.match((await cli(['webhooks', 'replay', id])).stderr, /DELIVERY_ID or --since/)
    assert.match((await cli(['webhooks', 'deliveries', id, '--status', 'lost'])).stderr, /--status/)
    done(await cli(['webhooks', 'delete', id]))
    assert.match((await cli(['webhooks', 'show', id])).stderr, /webhook_not_found/)
  })

  test('received text cannot control the terminal', async () => {
    const { name } = await gateway.openInstance(account)
    const message = 'line\n\u001b[2Jgone\u202e'
    const { messageId } = done(
      await cli([
        'send',
        'text',
        '--instance',
        name,
        '--number',
        randomNumber(),
        '--message',
        message,
        '--json',
      ]),
    ).json
    const { stdout } = done(await cli(['messages', 'show', messageId]))
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    assert.doesNotMatch(stdout, /[\u001b\u202e]/)
    assert.match(stdout, /content: .*gone/)
  })

  test('no command prints a key that it was not asked for', async () => {
    const runs = await Promise.all(
      [
        ['limits', '--json'],
        ['accounts', 'list', '--json'],
        ['instances', 'state', 'unknown'],
        ['doctor', '--json'],
        ['instances', 'list', '--url', 'http://127.0.0.1:1'],
      ].map((args) => cli(args)),
    )
    const printed = runs.map(({ stdout, stderr }) => stdout + stderr).join('')
    assert.ok(printed.includes('"success": true'))
    for (const key of [account.key, gateway.app.operatorKey]) assert.ok(!printed.includes(key))
  })
})
