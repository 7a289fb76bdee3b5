// Sessions of the bare network library, as its users write them: the other side of the comparison in sessions.ts.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  Browsers,
  makeCacheableSignalKeyStore,
  makeWASocket,
  useMultiFileAuthState,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys'
import { pino } from 'pino'

export type BareOrder =
  | { do: 'open'; numbers: string[] }
  | { do: 'send'; number: string; to: string; texts: string[] }
export type BareReport =
  | { ready: true }
  | { qr: string; number: string }
  | { opened: string }
  | { sent: string; lastId: string }

const [directory = '', wsUrl = '', rootPublicKey = ''] = process.argv.slice(2)
const logger = pino({ level: 'silent' })
const sockets = new Map<string, WASocket>()
const report = (message: BareReport): void => void process.send?.(message)

async function open(number: string): Promise<void> {
  const folder = join(directory, number)
  await mkdir(folder, { recursive: true })
  const { state, saveCreds } = await useMultiFileAuthState(folder)
  const socket = makeWASocket({
    waWebSocketUrl: wsUrl,
    auth: { creds: state.creds, keys: makeCacheableSignalKeyStore(state.keys, logger) },
    logger,
    browser: Browsers.macOS('Chrome'),
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    getMessage: async () => undefined,
  })
  sockets.set(number, socket)
  socket.ev.on('creds.update', () => void saveCreds())
  socket.ev.on('connection.update', ({ qr, connection }) => {
    if (qr) report({ qr, number })
    if (connection === 'open') report({ opened: number })
    // After pairing the network asks for a new connection.
    if (connection === 'close' && sockets.get(number) === socket) void open(number)
  })
}

/** One after the other, each once the network has taken the one before. */
async function send(number: string, to: string, texts: string[]): Promise<void> {
  const socket = sockets.get(number)
  if (!socket) throw new Error(`${number} is not open`)
  let lastId = ''
  const waiting = new Map<string, () => void>()
  const onAck = ({ attrs }: { attrs: { id?: string } }) => waiting.get(attrs.id ?? '')?.()
  socket.ws.on('CB:ack,class:message', onAck)
  for (const text of texts) {
    const acknowledged = Promise.withResolvers<void>()
    const sent = await socket.sendMessage(
      `${to}@s.whatsapp.net`,
      { text },
      { messageId: nextId(acknowledged) },
    )
    lastId = sent?.key.id ?? ''
    await acknowledged.promise
  }
  socket.ws.off('CB:ack,class:message', onAck)
  report({ sent: number, lastId })

  function nextId({ resolve }: PromiseWithResolvers<void>): string {
    const id = `3EB0${crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
    waiting.set(id, () => {
      waiting.delete(id)
      resolve()
    })
    return id
  }
}

// The library's Signal code prints sessions.
console.info = console.warn = console.log = () => undefined
WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(rootPublicKey, 'hex')
process.on('message', (order: BareOrder | string) => {
  if (typeof order === 'string') return
  if (order.do === 'open') for (const number of order.numbers) void open(number)
  else void send(order.number, order.to, order.texts)
})
process.channel?.ref()
report({ ready: true })
