// Answers every text with the same text. Started again after a stop or a crash, it goes on where it was and answers nothing twice.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createClient } from 'switchboard-client'

const client = createClient({
  url: process.env.SWITCHBOARD_URL ?? 'http://127.0.0.1:8080',
  key: process.env.API_KEY ?? readFileSync('data/first-api-key', 'utf8').trim(),
})
const CURSOR = process.env.CURSOR ?? 'echo-bot.cursor'

/** The id of the last event that was answered; at the first start, of the newest event. */
async function start() {
  try {
    return readFileSync(CURSOR, 'utf8')
  } catch {
    return (await client.listEvents({ before: 'end', limit: 1 })).next ?? undefined
  }
}

const after = await start()
console.log('The echo bot waits for messages.')
for await (const event of client.events({ after, events: ['messages.upsert'] })) {
  const { direction, text, chat, messageId, historical } = event.data
  const isGroup = chat.endsWith('@g.us')
  if (direction === 'incoming' && text !== null && !isGroup && !historical)
    await client.sendText(
      { instanceName: event.instance.apiInstanceName, chat, message: text, quotedMessageId: messageId },
      { idempotencyKey: `echo ${event.id}` },
    )
  writeFileSync(`${CURSOR}.new`, event.id)
  renameSync(`${CURSOR}.new`, CURSOR)
}
