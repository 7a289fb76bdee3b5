// Every send of the Cloud API dialect: the phone of the recipient shows it, and the answer has the form of the dialect.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import { assertRefused, type CloudWorld, startCloudWorld } from '../support/cloud.ts'
import { mp4, pdf, png } from '../support/sample-files.ts'
import { until } from '../support/sandbox-world.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

const FILES: Readonly<Record<string, readonly [type: string, file: Buffer]>> = {
  '/video': ['video/mp4', mp4()],
  '/document': ['application/pdf', pdf()],
}

for (const engine of behaviourEngines('postgres'))
  describe(`sends of the Cloud API dialect on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511975550' : '5511976660'
    const [OWNER, BOB, CAROL] = [1, 2, 3].map((last) => `${prefix}00${last}`) as [string, string, string]
    let world: CloudWorld
    let host: WebHost
    before(async () => {
      host = await startWebHost((request, response) => {
        const [type, file] = FILES[request.url ?? ''] ?? ['image/png', png(4, 4)]
        response.setHeader('content-type', type)
        response.end(file)
      })
      world = await startCloudWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      await world.sandbox.world.phone(CAROL, 'Carol')
    })
    after(async () => {
      await world.stop()
      await host.close()
    })

    const post = (body: object) =>
      world.client(`POST /${world.line.name}/messages`, { messaging_product: 'whatsapp', ...body })

    /** Sends, checks the form of the answer, and returns the id with the message as the phone of Bob shows it. */
    async function sent(body: object, to = BOB) {
      const reply = await post({ recipient_type: 'individual', to, ...body })
      assert.equal(reply.status, 200, JSON.stringify(reply.json))
      const id: string = reply.json.messages[0].id
      const { wa_id: waId, user_id: userId } = reply.json.contacts[0]
      assert.deepEqual(reply.json, {
        messaging_product: 'whatsapp',
        contacts: [{ input: to, ...(waId && { wa_id: waId }), ...(userId && { user_id: userId }) }],
        messages: [{ id, message_status: 'accepted' }],
      })
      return { id, waId, shown: await world.sandbox.world.shown(BOB, id) }
    }

    async function uploadedAs(type: string, file: Buffer): Promise<string> {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      const [mimetype] = FILES[`/${type}`] ?? ['image/png']
      form.set('file', new Blob([new Uint8Array(file)], { type: mimetype }), `a.${type}`)
      const uploaded = await world.client(`POST /${world.line.name}/media`, form)
      assert.equal(uploaded.status, 200, JSON.stringify(uploaded.json))
      return uploaded.json.id
    }

    test('200 text with and without +, as the default type, and as a reply', async () => {
      const first = await sent({ type: 'text', text: { body: 'one', preview_url: false } }, `+${BOB}`)
      assert.deepEqual([first.shown.text, first.waId], ['one', BOB])
      const reply = await sent({ text: { body: 'two' }, context: { message_id: first.id } })
      assert.equal(reply.shown.quoted?.id, first.id)
      assert.equal((await sent({ type: 'text', text: { body: 'three' }, context: null })).shown.text, 'three')
    })

    test('200 image, document and sticker by link and by the id of an upload', async () => {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('type', 'image/png')
      form.set('file', new Blob([new Uint8Array(png(4, 4))], { type: 'image/png' }), 'photo.png')
      const uploaded = await world.client(`POST /${world.line.name}/media`, form)
      assert.equal(uploaded.status, 200, JSON.stringify(uploaded.json))
      assert.deepEqual(Object.keys(uploaded.json), ['id'])
      for (const source of [{ link: `${host.url}/a.png` }, uploaded.json]) {
        const { shown } = await sent({ type: 'image', image: { ...source, caption: 'Look' } })
        assert.deepEqual([shown.kind, shown.text], ['image', 'Look'])
        const document = await sent({ type: 'document', document: { ...source, filename: 'plan.png' } })
        assert.deepEqual([document.shown.kind, document.shown.media?.fileName], ['document', 'plan.png'])
        assert.equal((await sent({ type: 'sticker', sticker: source })).shown.kind, 'sticker')
      }
    })

    test('200 location with numbers as text, contacts, and a reaction that is withdrawn', async () => {
      const spot = { latitude: '-23.5', longitude: -46.6, name: 'Shop', address: 'Paulista 1' }
      const pinned = await sent({ type: 'location', location: spot })
      assert.equal(pinned.shown.kind, 'location')
      const contacts = [
        {
          name: { formatted_name: 'Ana Souza', first_name: 'Ana' },
          phones: [{ phone: '+55 11 91234-5678', wa_id: '5511912345678', type: 'WORK' }],
          emails: [{ email: 'ana@example.com' }],
          org: { company: 'Acme' },
        },
      ]
      assert.equal((await sent({ type: 'contacts', contacts })).shown.kind, 'contact')
      const reactions = async () =>
        Object.values((await world.sandbox.world.shown(BOB, pinned.id)).reactions ?? {})
      for (const emoji of ['👍', '']) {
        const reply = await post({ to: BOB, type: 'reaction', reaction: { message_id: pinned.id, emoji } })
        assert.equal(reply.status, 200, JSON.stringify(reply.json))
        await until(reactions, (seen) => seen.join() === emoji, `the reaction ${emoji}`)
      }
    })

    test('200 interactive: reply buttons, a list, and a button with a URL', async () => {
      const texts = {
        header: { type: 'text', text: 'Delivery' },
        body: { text: 'Is tomorrow fine?' },
        footer: { text: 'Bye' },
      }
      const reply = (id: string) => ({ type: 'reply', reply: { id, title: id } })
      const buttons = { type: 'button', ...texts, action: { buttons: [reply('yes'), reply('no')] } }
      assert.equal((await sent({ type: 'interactive', interactive: buttons })).shown.kind, 'buttons')
      const rows = [{ id: 'tea', title: 'Tea', description: 'Hot' }]
      const list = {
        type: 'list',
        ...texts,
        action: { button: 'Open', sections: [{ title: 'Drinks', rows }] },
      }
      assert.equal((await sent({ type: 'interactive', interactive: list })).shown.kind, 'list')
      const parameters = { display_text: 'Our site', url: 'https://example.com/' }
      const url = { type: 'cta_url', ...texts, action: { name: 'cta_url', parameters } }
      assert.equal((await sent({ type: 'interactive', interactive: url })).shown.kind, 'buttons')
    })

    for (const [type, file, more] of [
      ['image', png(4, 4), {}],
      ['video', mp4(), {}],
      ['document', pdf(), { filename: 'Menu.pdf' }],
    ] as const)
      test(`200 interactive with a header of the type ${type}, by link and by the id of an upload`, async () => {
        const action = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] }
        const parameters = { display_text: 'Our site', url: 'https://example.com/' }
        for (const source of [{ link: `${host.url}/${type}` }, { id: await uploadedAs(type, file) }]) {
          const header = { type, [type]: { ...source, ...more } }
          const texts = { header, body: { text: 'Is this right?' }, footer: { text: 'Bye' } }
          for (const interactive of [
            { type: 'button', ...texts, action },
            { type: 'cta_url', ...texts, action: { name: 'cta_url', parameters } },
          ]) {
            const { id, shown } = await sent({ type: 'interactive', interactive })
            assert.deepEqual([shown.kind, shown.text, shown.visible], ['buttons', 'Is this right?', true])
            assert.deepEqual([shown.media?.type, shown.media?.fileName], [type, more.filename])
            const bytes = await world.sandbox.world.bytes(`/phones/${BOB}/messages/${id}/media`)
            assert.ok(bytes.equals(file))
          }
        }
      })

    test('200 the template with which programs are tried out is there at once, and can be replaced', async () => {
      const name = 'hello_world'
      const template = { name, language: { code: 'en_US' } }
      const { shown } = await sent({ type: 'template', template })
      assert.match(shown.text ?? '', /^\*It works\*\n\nThis test message/)
      const path = `/${world.line.name}/message_templates`
      assert.equal((await world.client(`DELETE ${path}?name=${name}`)).status, 200)
      assertRefused(
        await post({ to: BOB, type: 'template', template }),
        404,
        132001,
        /does not exist in en_US/,
      )
      const components = [{ type: 'BODY', text: 'Our own words' }]
      const own = { name, language: 'en_US', category: 'UTILITY', components }
      assert.equal((await world.client(`POST ${path}`, own)).status, 200)
      assert.equal((await sent({ type: 'template', template })).shown.text, 'Our own words')
    })

    test('200 a stored template is rendered to a text, or to a file with a caption', async () => {
      const components = [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
        { type: 'BODY', text: 'Hello {{1}}, it arrives {{2}}.', example: { body_text: [['a', 'b']] } },
        { type: 'FOOTER', text: 'Acme' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' }] },
      ]
      const name = `order_${engine.name}`
      const stored = { name, language: 'en_US', category: 'UTILITY', components }
      const created = await world.client(`POST /${world.line.name}/message_templates`, stored)
      assert.equal(created.status, 200, JSON.stringify(created.json))
      const values = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }))
      const template = {
        name,
        language: { policy: 'deterministic', code: 'en_US' },
        components: [
          { type: 'header', parameters: values('77') },
          { type: 'body', parameters: values('Bob', 'today') },
          { type: 'button', sub_type: 'url', index: '0', parameters: values('t77') },
        ],
      }
      const { shown } = await sent({ type: 'template', template })
      assert.equal(
        shown.text,
        '*Order 77*\n\nHello Bob, it arrives today.\n\n_Acme_\n\nTrack: https://example.com/t77',
      )
      const withFile = {
        ...stored,
        name: `photo_${engine.name}`,
        components: [
          { type: 'HEADER', format: 'IMAGE' },
          { type: 'BODY', text: 'New!' },
        ],
      }
      await world.client(`POST /${world.line.name}/message_templates`, withFile)
      const image = { type: 'image', image: { link: `${host.url}/a.png` } }
      const photo = await sent({
        type: 'template',
        template: {
          name: withFile.name,
          language: { code: 'en_US' },
          components: [{ type: 'header', parameters: [image] }],
        },
      })
      assert.deepEqual([photo.shown.kind, photo.shown.text], ['image', 'New!'])
    })

    test('200 a text to a group, and to a person whose number is hidden by the name that webhooks give', async () => {
      const { group } = await world.sandbox.api('createGroup', {
        body: { instanceName: world.line.name, subject: 'Team', members: [BOB, CAROL] },
      })
      const { shown, waId } = await sent(
        { recipient_type: 'group', type: 'text', text: { body: 'all' } },
        group.groupJid,
      )
      assert.deepEqual([shown.text, waId], ['all', group.groupJid])
      const { person } = await world.sandbox.api('getPerson', {
        params: { number: BOB },
        query: { instanceName: world.line.name },
      })
      const userId = `XX.${person.lid.split('@')[0]}`
      for (const to of [userId, person.lid])
        assert.equal((await sent({ text: { body: 'by id' } }, to)).shown.text, 'by id')
    })

    test('400 for what cannot be sent, with the code and the field of the dialect', async () => {
      const interactive = (fields: object) => ({
        to: BOB,
        type: 'interactive',
        interactive: { action: {}, ...fields },
      })
      const ready = (header: object) =>
        interactive({
          type: 'button',
          header,
          body: { text: 'x' },
          action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'A' } }] },
        })
      const refused: [body: object, code: number, details: RegExp][] = [
        [{ text: { body: 'x' } }, 131008, /^to: required$/],
        [{ to: BOB, type: 'text', text: {} }, 131008, /^text\.body: required$/],
        [{ to: BOB, type: 'text' }, 131008, /^text: required$/],
        [{ to: BOB, type: 'text', text: { body: '' } }, 131009, /^text\.body: /],
        [{ to: '123', text: { body: 'x' } }, 131009, /^to: expected 7 to 15 digits/],
        [{ to: BOB, type: 'order', order: {} }, 131051, /^type: expected one of text/],
        [{ to: BOB, type: 'constructor', constructor: {} }, 131051, /^type: /],
        [{ to: BOB, type: 'image', image: {} }, 131008, /^image\.link: required$/],
        [{ to: BOB, type: 'image', image: { id: '123' } }, 131009, /^image\.id: /],
        [{ to: BOB, type: 'image', image: { link: 'ftp://example.com' } }, 131009, /link|URL/],
        [
          { to: BOB, type: 'contacts', contacts: [{ name: { formatted_name: 'A' } }] },
          131008,
          /phones: required/,
        ],
        [{ to: BOB, text: { body: 'x' }, context: { message_id: 'none' } }, 131009, /no such message/],
        [
          { to: BOB, type: 'reaction', reaction: { message_id: 'none', emoji: '👍' } },
          131009,
          /no such message/,
        ],
        [
          { to: BOB, type: 'interactive', interactive: { type: 'flow', action: {} } },
          131051,
          /interactive\.type/,
        ],
        [
          interactive({ type: 'button', header: { type: 'image' } }),
          131008,
          /^interactive\.header\.image: required$/,
        ],
        [
          interactive({ type: 'button', header: { type: 'location', location: {} } }),
          131009,
          /^interactive\.header\.type: expected one of text, image, video, document$/,
        ],
        [
          interactive({ type: 'list', header: { type: 'image', image: { link: `${host.url}/a.png` } } }),
          131009,
          /^interactive\.header\.type: expected "text": a list has no file/,
        ],
        [
          interactive({ type: 'button', header: { type: 'video', video: {} } }),
          131008,
          /interactive\.header\.video\.link: required/,
        ],
        [
          interactive({ type: 'cta_url', header: { type: 'image', image: { id: '123' } } }),
          131009,
          /interactive\.header\.image\.id: /,
        ],
        [
          ready({ type: 'image', image: { link: 'https://u:p@example.com/a.png' } }),
          131009,
          /^interactive\.header\.image\.link: /,
        ],
        [
          ready({ type: 'image', image: { id: `media-${'A'.repeat(22)}` } }),
          100,
          /^interactive\.header\.image\.id: unknown or expired/,
        ],
        [
          { to: BOB, type: 'template', template: { name: 'order', language: { code: 'de' } } },
          132001,
          /does not exist in de/,
        ],
        [
          {
            to: BOB,
            type: 'template',
            template: { name: `order_${engine.name}`, language: { code: 'en_US' } },
          },
          132000,
          /header: number of parameters \(0\) does not match the expected number \(1\)/,
        ],
      ]
      for (const [body, code, details] of refused)
        assertRefused(await post(body), code === 132001 ? 404 : 400, code, details)
      const wrong = await world.client(`POST /${world.line.name}/messages`, { to: BOB, text: { body: 'x' } })
      assertRefused(wrong, 400, 100, /^messaging_product: /)
    })
  })
