// The program of a client process: the network library with its original packages, directed by messages of the test.
import {
  type AnyMessageContent,
  decryptPollVote,
  downloadMediaMessage,
  jidNormalizedUser,
  type proto,
  useMultiFileAuthState,
  type WAMessage,
} from 'baileys'
import { Client, type memoryKeys, plainDispatcher } from '../sandbox/support/client.ts'
import type { World } from '../sandbox/support/world.ts'
import type { Poll, SentFile } from './contents.ts'
import type { JudgedNetwork } from './partner.ts'
import { namesOf } from './poll-options.ts'

export type Command =
  /** `folder`: the login is kept in files, as the library does it; otherwise in memory. */
  | { do: 'pair'; network: JudgedNetwork; folder?: string }
  | { do: 'send'; to: string; text: string }
  | { do: 'poll'; to: string; poll: Poll }
  | { do: 'file'; to: string; file: Omit<SentFile, 'bytes'>; base64: string }
  | { do: 'edit'; to: string; messageId: string; text: string }
  | { do: 'download'; messageId: string }
  | { do: 'read-vote'; pollId: string; options: string[] }
  | { do: 'close' }
  | { do: 'login' }
  | { do: 'lose-sessions' }
export interface Ask {
  ask: number
  command: Command
}
export type Report =
  | { kind: 'answer'; ask: number; value?: string; error?: string }
  | { kind: 'qr'; qr: string }
  | { kind: 'message'; id: string; text: string }
  | { kind: 'poll'; poll: Poll }
  | { kind: 'edit'; messageId: string; text: string }
  | { kind: 'file'; messageId: string }
  | { kind: 'vote'; pollId: string }

const say = (report: Report): void => void process.send?.(report)
let client: Client | undefined
let saveCreds = async (): Promise<void> => undefined
const opened = (): Client => {
  if (!client) throw new Error('not paired')
  return client
}

const textOf = ({ message }: WAMessage): string | undefined =>
  message?.conversation ?? message?.extendedTextMessage?.text ?? undefined

function tell(messages: readonly WAMessage[]): void {
  for (const message of messages) {
    tellContent(message)
    const text = textOf(message)
    if (text !== undefined && !message.key.fromMe) say({ kind: 'message', id: message.key.id ?? '', text })
  }
}

function tellContent(received: WAMessage): void {
  const { message, key } = received
  const poll = message?.pollCreationMessageV3 ?? message?.pollCreationMessage
  const pollId = message?.pollUpdateMessage?.pollCreationMessageKey?.id
  if (poll)
    say({
      kind: 'poll',
      poll: {
        name: poll.name ?? '',
        options: (poll.options ?? []).map(({ optionName }) => optionName ?? ''),
      },
    })
  if (message?.documentMessage ?? message?.imageMessage) {
    files.set(key.id ?? '', received)
    say({ kind: 'file', messageId: key.id ?? '' })
  }
  if (pollId) {
    votes.set(pollId, received)
    say({ kind: 'vote', pollId })
  }
}
const files = new Map<string, WAMessage>()
const votes = new Map<string, WAMessage>()

/** The library leaves it to its users to decrypt votes, and to know by which address each person is named. */
function readVote(pollId: string, options: string[]): string[] {
  const { message, key } = votes.get(pollId) ?? {}
  const { creds, sent } = opened()
  const secret = sent.get(pollId)?.messageContextInfo?.messageSecret ?? new Uint8Array()
  const voters = [key?.participant, key?.participantAlt, key?.remoteJid, key?.remoteJidAlt]
  for (const creator of [creds.me?.id, creds.me?.lid].filter(isText).map(jidNormalizedUser))
    for (const voter of voters.filter(isText).map(jidNormalizedUser)) {
      const names = { pollCreatorJid: creator, pollMsgId: pollId, pollEncKey: secret, voterJid: voter }
      try {
        const { selectedOptions } = decryptPollVote(message?.pollUpdateMessage?.vote ?? {}, names)
        return namesOf(selectedOptions ?? [], options)
      } catch {}
    }
  throw new Error('the vote cannot be decrypted')
}
const isText = (value: string | null | undefined): value is string => Boolean(value)

async function sendContent(to: string, content: AnyMessageContent): Promise<string> {
  const { sent, socket } = opened()
  const message = await socket.sendMessage(to, content)
  const id = message?.key.id ?? ''
  if (message?.message) sent.set(id, message.message)
  return id
}

/** Of this connection: those that came with the login, and later ones. */
function tellAll(): void {
  for (const { name, data } of opened().seen) if (name === 'messages.upsert') tell(data.messages)
  opened().socket.ev.on('messages.upsert', ({ messages }) => tell(messages))
  opened().socket.ev.on('messages.update', (updates) => {
    for (const { key, update } of updates) {
      const edited = update.message?.editedMessage?.message
      const text = edited?.conversation ?? edited?.extendedTextMessage?.text
      if (text) say({ kind: 'edit', messageId: key.id ?? '', text })
    }
  })
}

async function keepInFolder(into: Client, folder: string): Promise<void> {
  const { state, saveCreds: save } = await useMultiFileAuthState(folder)
  into.creds = state.creds
  into.keys = state.keys as ReturnType<typeof memoryKeys>
  saveCreds = save
}

const COMMANDS: { [Do in Command['do']]: (command: Extract<Command, { do: Do }>) => Promise<string | void> } =
  {
    async pair({ network, folder }) {
      client = new Client({ sandbox: network } as unknown as World)
      if (folder !== undefined) await keepInFolder(client, folder)
      say({ kind: 'qr', qr: await client.qr() })
      await client.restarted()
      tellAll()
    },
    async send({ to, text }) {
      const content: proto.IMessage = { extendedTextMessage: { text } }
      const { sent, socket } = opened()
      const id = `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
      sent.set(id, content)
      await socket.relayMessage(to, content, { messageId: id })
      return id
    },
    poll: ({ to, poll: { name, options } }) =>
      sendContent(to, { poll: { name, values: options, selectableCount: 1 } }),
    file({ to, file: { kind, mimetype }, base64 }) {
      const bytes = Buffer.from(base64, 'base64')
      // Without a thumbnail, which the library makes with packages that are not installed.
      return sendContent(
        to,
        kind === 'image' ? { image: bytes, mimetype, jpegThumbnail: '' } : { document: bytes, mimetype },
      )
    },
    edit: ({ to, messageId, text }) =>
      sendContent(to, { text, edit: { remoteJid: to, fromMe: true, id: messageId } }),
    async download({ messageId }) {
      const options = { dispatcher: plainDispatcher() } as unknown as RequestInit
      const message = files.get(messageId) as WAMessage
      return (await downloadMediaMessage(message, 'buffer', { options })).toString('base64')
    },
    'read-vote': async ({ pollId, options }) => JSON.stringify(readVote(pollId, options)),
    async close() {
      await opened().end()
      await saveCreds()
    },
    async login() {
      await opened().login()
      tellAll()
    },
    async 'lose-sessions'() {
      opened().loseSessions()
    },
  }

process.on('message', ({ ask, command }: Ask) => {
  const run = COMMANDS[command.do] as (command: Command) => Promise<string | void>
  run(command).then(
    (value) => say({ kind: 'answer', ask, ...(value === undefined ? {} : { value }) }),
    (error: unknown) => say({ kind: 'answer', ask, error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
