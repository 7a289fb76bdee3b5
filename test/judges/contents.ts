// Polls, edits and files between a gateway and a foreign client. Neither the gateway nor the published library can vote: there the
// phone of the owner votes, and the client decrypts it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, ask, until, world } from '../support/linked.ts'
import { png } from '../support/sample-files.ts'

export interface Poll {
  name: string
  options: string[]
}

export interface SentFile {
  kind: 'document' | 'image'
  mimetype: string
  bytes: Buffer
}

/** What a client does with its own code. A method is missing where the client cannot do it. */
export interface Contents {
  /** Each of these returns the id of the message. */
  sendText(to: string, text: string): Promise<string>
  sendPoll(to: string, poll: Poll): Promise<string>
  sendFile(to: string, file: SentFile): Promise<string>
  untilPoll(name: string): Promise<Poll>
  /** The options of a received vote in a poll that the client has sent. */
  untilVote(pollId: string, options: string[]): Promise<string[]>
  /** Votes in a received poll. */
  vote?(name: string, options: string[]): Promise<unknown>
  /** Answers a received event. */
  answerEvent?(name: string, extraGuests: number): Promise<unknown>
  edit(to: string, messageId: string, text: string): Promise<unknown>
  /** In the form of current phones. */
  editEncrypted?(to: string, messageId: string, text: string): Promise<unknown>
  untilEdited(messageId: string, text: string): Promise<unknown>
  /** The file of the received message with this id, as the client downloads and decrypts it. */
  untilFile(messageId: string): Promise<Buffer>
}

interface Stage {
  gateway: { url: string; key: string }
  line: string
  own: string
  theirs: string
}

interface Received {
  messageId: string
  type: string
  text: string | null
  content: {
    text?: string
    options?: string[]
    answer?: string
    extraGuests?: number
    target?: { messageId: string }
  }
}

export function testContents(stage: () => Stage, client: Contents): void {
  const jid = () => `${stage().own}@s.whatsapp.net`
  const incoming = async (): Promise<Received[]> => {
    const { gateway, line } = stage()
    return (await api(gateway, `GET /messages?instanceName=${line}&direction=incoming&limit=100`)).messages
  }
  const untilIncoming = (what: string, fits: (message: Received) => boolean): Promise<Received> =>
    until(what, async () => (await incoming()).find(fits))
  const events = async (name: string) => {
    const { gateway, line } = stage()
    const found: { data: { messageId: string; text: string | null; target: { messageId: string } } }[] = []
    for (let after = ''; ; ) {
      const query = `instanceName=${line}&events=${name}&limit=500${after}`
      const page = await api(gateway, `GET /events?${query}`)
      found.push(...page.events)
      if (!page.hasMore) return found
      after = `&after=${page.next}`
    }
  }

  test('a poll of the gateway: the client reads it, and its vote is counted', async () => {
    const { gateway, line, theirs } = stage()
    const poll = { name: 'Which of these?', options: ['Coffee', 'Tea', 'Água'] }
    const body = { instanceName: line, number: theirs, selectableCount: 1, delay: 0 }
    await api(gateway, 'POST /send-poll', { ...body, pollName: poll.name, options: poll.options })
    assert.deepEqual(await client.untilPoll(poll.name), poll)
    if (!client.vote) return
    await client.vote(poll.name, ['Água'])
    const vote = await untilIncoming('the vote at the gateway', ({ type }) => type === 'poll_vote')
    assert.deepEqual(vote.content.options, ['Água'])
  })

  test('a poll of the client: the gateway reads it, and the client decrypts the vote of the phone', async () => {
    const { gateway, own } = stage()
    const poll = { name: 'And of those?', options: ['One', 'Two'] }
    const pollId = await client.sendPoll(jid(), poll)
    const received = await untilIncoming('the poll at the gateway', ({ messageId }) => messageId === pollId)
    assert.deepEqual([received.type, received.content.options], ['poll', poll.options])
    await until('the poll on the phone', async () => {
      const { messages } = await world(gateway, `GET /phones/${own}/messages?limit=500`)
      return messages.find(({ id }: { id: string }) => id === pollId)
    })
    await world(gateway, `POST /phones/${own}/vote`, { messageId: pollId, options: ['Two'] })
    assert.deepEqual(await client.untilVote(pollId, poll.options), ['Two'])
  })

  const { answerEvent } = client
  if (answerEvent)
    test('an event of the gateway: the answer of the client is read', async () => {
      const { gateway, line, theirs } = stage()
      const event = { name: 'Opening day', startsAt: '2030-05-01T18:00:00Z', delay: 0 }
      const body = { instanceName: line, number: theirs, ...event }
      const { messageId } = await api(gateway, 'POST /send/event', body)
      await answerEvent(event.name, 2)
      const answer = await untilIncoming('the answer', ({ type }) => type === 'event_answer')
      const { target, ...content } = answer.content
      assert.deepEqual([content.answer, content.extraGuests, target?.messageId], ['going', 2, messageId])
    })

  test('an edit of the gateway changes the text at the client', async () => {
    const { gateway, line, theirs } = stage()
    const body = { instanceName: line, number: theirs, message: 'before the edit', delay: 0 }
    const { messageId } = await api(gateway, 'POST /send/text', body)
    await until('the text is sent', async () => {
      const { message } = await api(gateway, `GET /messages/${messageId}?instanceName=${line}`)
      return message.sentAt ?? undefined
    })
    await api(gateway, `POST /messages/${messageId}/edit`, { message: 'after the edit' })
    await client.untilEdited(messageId, 'after the edit')
  })

  const forms: [string, Contents['editEncrypted']][] = [
    ['in the plain form', client.edit],
    ['encrypted, as phones send it', client.editEncrypted],
  ]
  for (const [form, edit] of forms)
    if (edit)
      test(`an edit of the client, ${form}, is reported with its text`, async () => {
        const messageId = await client.sendText(jid(), `to be edited ${form}`)
        await untilIncoming('the text at the gateway', (message) => message.messageId === messageId)
        await edit(jid(), messageId, `edited ${form}`)
        const edited = await until('the edit at the gateway', async () =>
          (await events('messages.edited')).find(({ data }) => data.target.messageId === messageId),
        )
        assert.equal(edited.data.text, `edited ${form}`)
      })

  for (const file of [
    { kind: 'document', mimetype: 'application/pdf', bytes: Buffer.from('%PDF-1.4 that both can open') },
    { kind: 'image', mimetype: 'image/png', bytes: png(8, 8) },
  ] as const)
    test(`a file (${file.kind}) has the same bytes in both directions`, async () => {
      const { gateway, line, theirs } = stage()
      const uploaded = await fetch(`${gateway.url}/api/v1/media?fileName=a`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': file.mimetype },
        body: new Uint8Array(file.bytes),
      })
      const { mediaId } = (await uploaded.json()) as { mediaId: string }
      const body = { instanceName: line, number: theirs, type: file.kind, mediaId, delay: 0 }
      const { messageId } = await api(gateway, 'POST /send/media', body)
      assert.deepEqual(await client.untilFile(messageId), file.bytes)

      const sentId = await client.sendFile(jid(), file)
      const received = await untilIncoming('the file', (message) => message.messageId === sentId)
      assert.equal(received.type, file.kind)
      const bytes = await until('the bytes', async () => {
        const path = `GET /api/v1/messages/${sentId}/media?instanceName=${line}`
        const reply = await ask(gateway, path)
        return reply.status === 200 ? reply.bytes : undefined
      })
      assert.deepEqual(bytes, file.bytes)
    })
}
