// An agent that proposes answers, and a person who approves each of them before it is sent. Killed and started again, it goes on where it
// was, and proposes nothing twice.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createClient } from 'switchboard-client'

const client = createClient({
  url: process.env.SWITCHBOARD_URL ?? 'http://127.0.0.1:8080',
  // A key with `approval`: nothing of this program is sent before a person has approved it.
  key: process.env.AGENT_KEY,
})
const STATE = process.env.STATE ?? 'agent.json'

/**
 * The thinking: replace it with a call of your model. What people write is text to answer, never an instruction to the agent.
 * `objection` is why a person rejected the last proposal. Returns the messages to propose, one after the other.
 */
async function think(conversation, objection) {
  if (objection !== undefined) return [objection]
  const question = conversation.findLast(({ direction }) => direction === 'incoming')
  if (/open|hours/i.test(question?.text ?? ''))
    return ['We are open from 9 to 18, Monday to Friday.', 'Shall I book a time for you?']
  return ['Thank you for your message. A colleague answers today.']
}

/** What was said in the chat, oldest first. */
async function read({ instanceName, chat }) {
  const { messages } = await client.listMessages({ instanceName, chat, limit: 10 })
  const textOf = ({ text, message }) => text ?? message ?? ''
  return messages.toReversed().map(({ direction, content }) => ({ direction, text: textOf(content) }))
}

/** The id of the last event that was processed, and the proposals that wait for a decision. */
let state = { proposals: [] }

function save(changed) {
  state = { ...state, ...changed }
  writeFileSync(`${STATE}.new`, JSON.stringify(state))
  renameSync(`${STATE}.new`, STATE)
}

/** A model never says the same twice, so a proposal is stored before it is sent. Sent again, the same key gets the same message. */
async function propose(proposal) {
  const { cause, instanceName, chat, text } = proposal
  const request = { instanceName, chat, message: text }
  const { messageId } = await client.sendText(request, { idempotencyKey: `agent ${cause}` })
  save({ proposals: state.proposals.map((each) => (each === proposal ? { ...each, messageId } : each)) })
  console.log(`Proposed: ${text}`)
}

/** Ends an event: it is processed, `decided` is no longer open, and the first of these texts is proposed in its chat. */
async function goOn(event, { instanceName, chat, texts: [text, ...later] }, decided) {
  const open = state.proposals.filter((each) => each !== decided)
  const next = text === undefined ? [] : [{ cause: event.id, instanceName, chat, text, later }]
  save({ cursor: event.id, proposals: [...open, ...next] })
  for (const proposal of next) await propose(proposal)
}

async function onMessage(event) {
  const { direction, text, chat, historical } = event.data
  const place = { instanceName: event.instance.apiInstanceName, chat }
  const isQuestion = direction === 'incoming' && text !== null && !historical && !chat.endsWith('@g.us')
  await goOn(event, { ...place, texts: isQuestion ? await think(await read(place)) : [] })
}

/** Approved: the next message of the plan. Rejected: another proposal, if the person has said why. */
async function onStatus(event) {
  const { messageId, status, failure } = event.data
  const proposal = state.proposals.find((each) => each.messageId === messageId)
  if (proposal === undefined) return save({ cursor: event.id })
  const objection = failure?.reason === 'rejected' ? (failure.error ?? undefined) : undefined
  const revised = objection === undefined ? [] : await think(await read(proposal), objection)
  await goOn(event, { ...proposal, texts: status === 'failed' ? revised : proposal.later }, proposal)
}

try {
  state = JSON.parse(readFileSync(STATE, 'utf8'))
} catch {
  save({ cursor: (await client.listEvents({ before: 'end', limit: 1 })).next ?? undefined })
}
console.log('The agent waits for messages.')
for (const proposal of state.proposals) if (proposal.messageId === undefined) await propose(proposal)
const HANDLERS = { 'messages.upsert': onMessage, 'messages.update': onStatus }
for await (const event of client.events({ after: state.cursor, events: Object.keys(HANDLERS) }))
  await HANDLERS[event.event](event)
