// The requests of Chatwoot's WhatsApp Cloud provider, replayed as its public source writes them (the program itself does not run here):
// app/services/whatsapp/providers/whatsapp_cloud_service.rb and base_service.rb, csat_template_service.rb, and what
// incoming_message_whatsapp_cloud_service.rb reads of a webhook. They have the base URL of WHATSAPP_CLOUD_BASE_URL.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { behaviourEngines } from '../support/behaviour-engines.ts'
import {
  type CloudReceiver,
  type CloudWorld,
  cloudBase,
  startCloudReceiver,
  startCloudWorld,
} from '../support/cloud.ts'
import { png } from '../support/sample-files.ts'
import { startWebHost, type WebHost } from '../support/web-host.ts'

type Json = any // oxlint-disable-line typescript/no-explicit-any -- a test says what it expects of it

for (const engine of behaviourEngines('sqlite'))
  describe(`requests of Chatwoot on ${engine.name}`, () => {
    const prefix = engine.name === 'sqlite' ? '5511982220' : '5511983330'
    const [OWNER, BOB] = [1, 2].map((last) => `${prefix}00${last}`) as [string, string]
    const VERIFY_TOKEN = 'f00dfeedf00dfeedf00dfeedf00dfeed'
    let world: CloudWorld
    let files: WebHost
    let receiver: CloudReceiver
    let headers: Record<string, string>

    before(async () => {
      files = await startWebHost((_request, response) => {
        response.setHeader('content-type', 'image/png')
        response.end(png(4, 4))
      })
      receiver = await startCloudReceiver(VERIFY_TOKEN)
      world = await startCloudWorld(engine, OWNER)
      await world.sandbox.world.phone(BOB, 'Bob')
      headers = { Authorization: `Bearer ${world.sandbox.key}`, 'Content-Type': 'application/json' }
      await world.sandbox.api('saveWebhook', {
        body: {
          url: `${receiver.url}/webhooks/whatsapp/+${OWNER}`,
          instanceName: world.line.name,
          format: 'cloud',
          verifyToken: VERIFY_TOKEN,
        },
      })
    })
    after(async () => {
      await world.stop()
      await receiver.close()
      await files.close()
    })

    /** In its settings, both ids are the API name of the instance. */
    const phonePath = () => `${cloudBase(world.sandbox.app.url)}/v13.0/${world.line.name}`
    const businessPath = () => `${cloudBase(world.sandbox.app.url)}/v14.0/${world.line.name}`
    const post = async (url: string, body: object): Promise<{ status: number; json: Json }> => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, json: await response.json() }
    }
    async function sent(body: object): Promise<Json> {
      const { status, json } = await post(`${phonePath()}/messages`, {
        messaging_product: 'whatsapp',
        to: BOB,
        ...body,
      })
      assert.equal(status, 200, JSON.stringify(json))
      assert.equal(json.error, undefined)
      return world.sandbox.world.shown(BOB, json.messages[0].id)
    }

    test('an inbox is created: the key in the query of message_templates is what it checks', async () => {
      const check = (key: string) => fetch(`${businessPath()}/message_templates?access_token=${key}`)
      const valid = await check(world.sandbox.key)
      assert.equal(valid.status, 200)
      const { data, paging } = (await valid.json()) as Json
      const names = data.map(({ name }: Json) => name)
      assert.deepEqual([names, paging.next], [['hello_world'], undefined])
      assert.equal((await check('wrong')).status, 401)
    })

    test('texts with an empty context and as a reply', async () => {
      const first = await sent({ context: null, text: { body: 'Hello from the desk' }, type: 'text' })
      assert.equal(first.text, 'Hello from the desk')
      const reply = await sent({
        context: { message_id: first.id },
        text: { body: 'And more' },
        type: 'text',
      })
      assert.equal(reply.quoted.id, first.id)
    })

    test('attachments by link, with a caption and the name of the file', async () => {
      const link = `${files.url}/rails/active_storage/blobs/photo.png`
      const image = await sent({ context: null, type: 'image', image: { link, caption: null } })
      assert.equal(image.kind, 'image')
      const content = { link, caption: 'The plan', filename: 'plan.png' }
      const document = await sent({ context: null, type: 'document', document: content })
      assert.deepEqual(
        [document.kind, document.text, document.media.fileName],
        ['document', 'The plan', 'plan.png'],
      )
    })

    test('buttons and lists, whose action it writes as JSON inside of the JSON', async () => {
      const items = ['Yes', 'No', 'Later', 'Never'].map((title) => ({ id: title.toLowerCase(), title }))
      const buttons = items.slice(0, 3).map((reply) => ({ type: 'reply', reply }))
      const payload = (type: string, action: object) => ({
        type,
        body: { text: 'Is it fine?' },
        action: JSON.stringify(action),
      })
      const question = await sent({ interactive: payload('button', { buttons }), type: 'interactive' })
      assert.deepEqual(
        question.interactive.buttons.map(({ id }: { id: string }) => id),
        ['yes', 'no', 'later'],
      )
      const list = await sent({
        interactive: payload('list', { button: 'Choose an item', sections: [{ rows: items }] }),
        type: 'interactive',
      })
      assert.equal(list.interactive.sections[0].rows.length, 4)
    })

    test('its survey template: created, found, sent with a button, and deleted', async () => {
      const name = 'customer_satisfaction_survey_1'
      const url = 'https://desk.example.com/survey/responses/{{1}}'
      const { status, json } = await post(`${businessPath()}/message_templates`, {
        name,
        language: 'en',
        category: 'UTILITY',
        components: [
          { type: 'BODY', text: 'Please rate this conversation' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Please rate us', url, example: ['12345'] }] },
        ],
      })
      assert.equal(status, 200, JSON.stringify(json))
      const found = await fetch(`${businessPath()}/message_templates?name=${name}`, { headers })
      const { data } = (await found.json()) as Json
      assert.deepEqual([data[0].name, data[0].status, data[0].language], [name, 'APPROVED', 'en'])
      const parameters = [{ type: 'text', text: 'abc-1' }]
      const survey = await sent({
        recipient_type: 'individual',
        type: 'template',
        template: {
          name,
          language: { policy: 'deterministic', code: 'en' },
          components: [{ type: 'button', sub_type: 'url', index: '0', parameters }],
        },
      })
      const button = 'Please rate us: https://desk.example.com/survey/responses/abc-1'
      assert.equal(survey.text, `Please rate this conversation\n\n${button}`)
      const deleted = await fetch(`${businessPath()}/message_templates?name=${name}`, {
        method: 'DELETE',
        headers,
      })
      assert.equal(deleted.status, 200)
    })

    test('a received picture: what it reads of the webhook finds the inbox, the person and the file', async () => {
      const media = {
        type: 'image',
        base64: png(4, 4).toString('base64'),
        mimetype: 'image/png',
        caption: 'See',
      }
      const { messageId } = await world.sandbox.world.post(`/phones/${BOB}/send`, { to: OWNER, media })
      const { json, path } = await receiver.until(
        'the picture',
        ({ value }) => value.messages?.[0].id === messageId,
      )
      assert.equal(path, `/hook/webhooks/whatsapp/+${OWNER}`)
      const { value } = json.entry[0].changes[0]
      const { display_phone_number: shown, phone_number_id: id } = value.metadata
      assert.deepEqual([json.object, shown, id], ['whatsapp_business_account', OWNER, world.line.name])
      const [contact] = value.contacts
      // The ids that its model accepts for a person on this channel.
      for (const source of [contact.wa_id, contact.user_id])
        assert.match(source, /^(?:\d{1,15}|[A-Z]{2}\.(?:ENT\.)?[A-Za-z0-9]{1,128})$/)
      assert.deepEqual([contact.profile.name, contact.wa_id], ['Bob', BOB])
      const { image } = value.messages[0]
      assert.equal(image.caption, 'See')
      const described = await fetch(`${cloudBase(world.sandbox.app.url)}/v13.0/${image.id}`, { headers })
      const { url } = (await described.json()) as Json
      const file = await fetch(url, { headers })
      assert.deepEqual(Buffer.from(await file.arrayBuffer()), png(4, 4))
    })

    test('a failure: the status and the error that it shows to the agent', async () => {
      const refused = await post(`${phonePath()}/messages`, {
        messaging_product: 'whatsapp',
        to: '12',
        text: { body: 'x' },
        type: 'text',
      })
      assert.deepEqual(
        [refused.status, refused.json.error.message],
        [400, '(#131009) Parameter value is not valid'],
      )
      const { json } = await post(`${phonePath()}/messages`, {
        messaging_product: 'whatsapp',
        context: null,
        to: '5511999990001',
        text: { body: 'x' },
        type: 'text',
      })
      const id = json.messages[0].id
      const { value } = await receiver.until(
        'the failure',
        ({ value: one }) => one.statuses?.[0].id === id && one.statuses[0].status === 'failed',
      )
      const [error] = value.statuses[0].errors
      assert.equal(`${error.code}: ${error.title}`, '131026: Message undeliverable')
    })
  })
