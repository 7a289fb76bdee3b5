// A client that others have written, as it is published: the node of n8n for the Evolution API. Every operation that it has is run
// against the gateway and the phones of the sandbox.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CALLS } from '../../src/doors/evolution/serve.ts'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { type EvolutionWorld, startEvolutionWorld } from '../support/evolution.ts'
import { evolutionNode, type NodeCall, nodePaths, type RunNode } from '../support/n8n-node.ts'
import { ogg, pdf, png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'

const jidOf = (number: string) => `${number}@s.whatsapp.net`
const base64 = (bytes: Buffer) => bytes.toString('base64')

for (const engine of behaviourEngines('sqlite'))
  describe(`the node of n8n for the Evolution API on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511962220' : '5511963330'
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let world: EvolutionWorld
    let node: RunNode
    let received = ''
    let photo = ''
    let group = ''
    const done = new Set<string>()

    before(async () => {
      world = await startEvolutionWorld(engine, OWNER)
      node = evolutionNode(`${world.sandbox.app.url}/compat/evolution`, world.sandbox.key)
      for (const [number, name] of [
        [BOB, 'Bob'],
        [CAROL, 'Carol'],
      ] as const)
        await world.sandbox.world.phone(number, name)
      received = await world.sandbox.world.send(BOB, { to: OWNER, text: 'Hello' })
      const media = { type: 'image', base64: base64(png(4, 4)), mimetype: 'image/png' }
      photo = await world.sandbox.world.send(BOB, { to: OWNER, media })
      await world.sandbox.message(world.line, photo)
    })
    after(() => world.stop())

    async function succeeds(...given: Parameters<RunNode>): Promise<NodeCall> {
      const ran = await node(...given)
      assert.ok(ran.status < 300, `${given[1]}: ${ran.status} ${JSON.stringify(ran.json)}`)
      // One operation passes the answer on as it is.
      if (given[1] !== 'send-document') assert.equal(ran.output.success, true, JSON.stringify(ran.output))
      done.add(ran.call)
      return ran
    }
    const sends = async (operation: string, parameters: Record<string, unknown> = {}) => {
      const { json } = await succeeds('messages-api', operation, { remoteJid: BOB, ...parameters })
      return world.sandbox.world.shown(BOB, json.key.id)
    }

    test('messages: the phone of the recipient shows what the node has sent', async () => {
      assert.equal((await sends('send-text', { messageText: 'Olá' })).text, 'Olá')
      const quoted = { quoted: { messageQuoted: { messageId: received } }, delay: 1 }
      const reply = await sends('send-text', { messageText: 'Yes', options_message: quoted })
      assert.equal(reply.quoted?.id, received)
      const image = await sends('send-image', { media: base64(png(4, 4)), caption: 'Look' })
      assert.deepEqual([image.kind, image.text], ['image', 'Look'])
      assert.equal(
        (await sends('send-document', { media: base64(pdf()), fileName: 'a.pdf' })).kind,
        'document',
      )
      assert.equal((await sends('send-audio', { media: base64(ogg()), mimetype: 'audio/ogg' })).kind, 'audio')
      const options_display = { metadataValues: [{ optionValue: 'A' }, { optionValue: 'B' }] }
      const { poll } = await sends('send-poll', { caption: 'Which?', options_display })
      assert.deepEqual([poll?.name, poll?.options], ['Which?', ['A', 'B']])
      const contactValues = [{ fullName: 'Carol', wuid: CAROL, phoneNumber: `+${CAROL}` }]
      assert.equal((await sends('send-contact', { contacts: { contactValues } })).kind, 'contact')
      const rows = { rowValues: [{ title: 'One', rowId: '1' }] }
      const sections = { sectionValues: [{ title: 'All', rows }] }
      const list = { title: 'Menu', description: 'Choose', buttonText: 'Open', sections }
      assert.equal((await sends('send-list', list)).kind, 'list')
      const buttons = { buttonValues: [{ type: 'reply', displayText: 'Yes', id: 'yes' }] }
      assert.equal(
        (await sends('send-buttons', { title: 'Sure?', description: 'Tell', buttons })).kind,
        'buttons',
      )
      await succeeds('messages-api', 'send-reaction', {
        remoteJid: jidOf(BOB),
        messageId: received,
        fromMe: false,
        reaction: '👍',
      })
      const story = { type: 'text', content: 'Today', allContacts: false, statusJidList: BOB }
      await succeeds('messages-api', 'send-stories', story)
    })

    test('messages: buttons of mixed types and payment keys arrive at the phone', async () => {
      const typesOf = async (operation: string, parameters: Record<string, unknown>) => {
        const { json } = await succeeds('messages-api', operation, { remoteJid: BOB, ...parameters })
        const { interactive } = await world.sandbox.world.shown(BOB, json.key.id)
        return interactive?.buttons?.map(({ type, id }) => [type, id])
      }
      const words = { title: 'Coupon', description: 'For you' }
      const reply = { type: 'reply', displayText: 'Talk', id: 'person' }
      const copy = { type: 'copy', displayText: 'Copy', copyCode: 'WELCOME10' }
      const url = { type: 'url', displayText: 'Site', url: 'https://example.com' }
      assert.deepEqual(
        await typesOf('send-buttons', { ...words, buttons: { buttonValues: [reply, copy, url] } }),
        [
          ['reply', 'person'],
          ['copy', 'WELCOME10'],
          ['url', undefined],
        ],
      )
      assert.deepEqual(await typesOf('send-buttons', { ...words, buttons: { buttonValues: [copy] } }), [
        ['copy', 'WELCOME10'],
      ])
      for (const [keyType, key, stored] of [
        ['email', 'shop@example.com', 'shop@example.com'],
        ['phone', '11912345678', '+5511912345678'],
        ['random', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
      ])
        assert.deepEqual(await typesOf('send-pix', { name: 'Shop', keyType, key }), [['pix', stored]])
    })

    test('a payment key that is not one is refused with the field', async () => {
      const pix = { remoteJid: BOB, name: 'Shop', keyType: 'cpf', key: '12345678900' }
      const { status, output } = await node('messages-api', 'send-pix', pix)
      assert.deepEqual([status, output.success], [400, false])
      assert.match(JSON.stringify(output), /buttons\.0\.key: not a PIX key of the type cpf/)
    })

    test('chats: finds, reads, archives, edits, deletes and blocks', async () => {
      const chat = (operation: string, parameters: Record<string, unknown>) =>
        succeeds('chat-api', operation, { remoteJid: jidOf(BOB), fromMe: false, ...parameters })
      assert.equal((await chat('check-number', { numbers: BOB })).json[0].exists, true)
      assert.ok((await chat('find-messages', {})).json.messages.total > 0)
      assert.equal((await chat('find-chats', { messageId: '' })).json[0].remoteJid, jidOf(BOB))
      assert.equal((await chat('find-contacts', { listAll: false })).json[0].pushName, 'Bob')
      assert.ok((await chat('find-contacts', { listAll: true })).json.length > 0)
      assert.equal((await chat('find-status-messages', { messageId: received })).json[0].keyId, received)
      const file = await chat('get-media-base64', { messageId: photo, convertToMp4: false })
      assert.equal(file.json.base64, base64(png(4, 4)))
      await chat('read-messages', { messageId: received })
      await chat('manage-archive', { chat: jidOf(BOB), archive: true, messageId: received })
      await chat('mark-unread', { chat: jidOf(BOB), messageId: received })
      await chat('send-presence', { presence: 'composing', delay: 500 })
      await chat('fetch-profile-picture', { number: BOB })
      const { json } = await succeeds('messages-api', 'send-text', { remoteJid: BOB, messageText: 'one' })
      await world.sandbox.world.shown(BOB, json.key.id)
      await chat('update-message', { messageId: json.key.id, text: 'two' })
      await until(
        () => world.sandbox.world.shown(BOB, json.key.id),
        ({ text }) => text === 'two',
        'the edited text',
      )
      await chat('delete-message', { messageId: json.key.id, fromMe: true })
      for (const status of ['block', 'unblock']) await chat('block-contact', { remoteJid: BOB, status })
    })

    test('groups: creates, changes, invites and leaves', async () => {
      const created = await succeeds('groups-api', 'create-group', {
        subject: 'Team',
        description: 'Ours',
        participants: BOB,
      })
      group = created.json.id
      const change = (operation: string, parameters: Record<string, unknown> = {}) =>
        succeeds('groups-api', operation, { groupJid: group, ...parameters })
      await change('update-group-name', { subject: 'Crew' })
      await change('update-group-description', { description: 'All of us' })
      await change('update-group-picture', { image: base64(png(640, 640)) })
      await change('update-participants', { action: 'add', participants: CAROL })
      await change('update-settings', { action: 'announcement' })
      await change('toggle-ephemeral', { expiration: 86_400 })
      const { json: infos } = await change('fetch-groups', { searchMethod: 'groupJid' })
      assert.deepEqual([infos.subject, infos.size], ['Crew', 3])
      await change('fetch-groups', { searchMethod: 'fetchAll', getParticipants: true })
      assert.equal((await change('find-participants')).json.participants.length, 3)
      const { inviteCode } = (await change('fetch-invite-code')).json
      await change('fetch-groups', { searchMethod: 'inviteCode', inviteCode })
      await change('send-invite-link', { description: 'Join', numbers: CAROL })
      await change('revoke-invite-code')
      await change('leave-group')
      const made = await world.sandbox.world.post('/groups', {
        subject: 'Theirs',
        admin: BOB,
        members: [BOB],
      })
      const theirs = made['group'] as { jid: string; inviteCode: string }
      const joined = await succeeds('groups-api', 'join-group', { inviteCode: theirs.inviteCode })
      assert.equal(joined.json.groupJid, theirs.jid)
    })

    test('profile and privacy', async () => {
      const change = (operation: string, parameters: Record<string, unknown> = {}) =>
        succeeds('profile-api', operation, parameters)
      assert.equal((await change('fetch-profile', { remoteJid: BOB })).json.numberExists, true)
      await change('fetch-business-profile', { remoteJid: BOB, number: BOB })
      await change('update-profile-name', { name: 'New name' })
      await change('update-profile-status', { status: 'At work' })
      await change('update-profile-picture', { picture: base64(png(640, 640)) })
      await change('remove-profile-picture')
      const settings = {
        readreceipts: 'all',
        profile: 'contacts',
        status: 'none',
        online: 'all',
        last: 'contacts',
        groupadd: 'contacts',
      }
      await change('update-privacy-settings', settings)
      assert.deepEqual((await change('fetch-privacy-settings')).json, settings)
    })

    test('webhook, settings and proxy', async () => {
      const webhook = {
        resourceForWebhook: 'setWebhook',
        enabled: true,
        webhookUrl: 'https://example.com/hook',
      }
      await succeeds('events-api', 'webhook', {
        ...webhook,
        webhookByEvents: false,
        webhookBase64: false,
        webhookEvents: ['MESSAGES_UPSERT'],
      })
      const found = await succeeds('events-api', 'webhook', { resourceForWebhook: 'findWebhook' })
      assert.deepEqual([found.json.url, found.json.enabled], ['https://example.com/hook', true])
      await succeeds('instances-api', 'instance-settings', {
        rejectCall: true,
        msgCall: 'Please write.',
        groupsIgnore: false,
        alwaysOnline: true,
        readMessages: false,
        syncFullHistory: false,
        readStatus: false,
      })
      await succeeds('instances-api', 'set-proxy', { resourceForProxy: 'findProxy' })
      await succeeds('instances-api', 'set-presence', { presence: 'available' })
      const rabbit = await node('events-api', 'rabbitmq', { resourceForRabbitMQ: 'findRabbitMQ' })
      assert.equal(rabbit.status, 501)
    })

    test('instances: creates, connects, restarts, logs out and deletes', async () => {
      const second = { instanceName: 'second' }
      const created = await succeeds('instances-api', 'instance-basic', { ...second, token: '', number: '' })
      assert.equal(created.json.instance.instanceName, 'second')
      assert.match((await succeeds('instances-api', 'instance-connect', second)).json.base64, /^data:image/)
      const { json } = await succeeds('instances-api', 'fetch-instances', { instanceName: '' })
      assert.deepEqual(json.map(({ name }: { name: string }) => name).toSorted(), ['second', 'shop'])
      const proxy = {
        enabled: true,
        proxyHost: 'proxy.example.com',
        proxyPort: '3128',
        proxyProtocol: 'http',
      }
      await succeeds('instances-api', 'set-proxy', { ...second, resourceForProxy: 'setProxy', ...proxy })
      await succeeds('instances-api', 'delete-instance', second)
      await succeeds('instances-api', 'restart-instance')
      await succeeds('instances-api', 'logout-instance')
    })

    test('every operation of the node that the gateway offers was answered with success', () => {
      const offered = new Set(CALLS.map(([, path]) => path.split('/').slice(1, 3).join('/')))
      const known = nodePaths().filter((path) => offered.has(path))
      const succeeded = new Set([...done].map((call) => call.split(' ')[1]))
      assert.deepEqual(
        known.filter((path) => !succeeded.has(path)),
        [],
      )
      assert.equal(known.length, 58)
    })
  })
