// What this driver assumes about the installed version of the network library. Each test states one assumption, and the file that relies
// on it: the connection and its stanzas here, keys and app state in library-keys.test.ts, linking in library-linking.test.ts. To raise
// the version, see CONTRIBUTING.md.
import { describe } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type BinaryNode, S_WHATSAPP_NET, type WASocket } from 'baileys'
import { assume, assumeConnected } from '../../../test/support/library-assumptions.ts'
import type { CloseError } from '../linking/close-cause.ts'
import { containErrors } from './contain-errors.ts'
import { innerSocketOf } from './inner-socket.ts'
import { CALLS } from './library-socket.ts'
import { driverVersions } from './versions.ts'

const VERSION = '7.0.0-rc14'
const BEN = '5511900000002@s.whatsapp.net'

const notification = (id: string, type: string, attrs = {}): BinaryNode => ({
  tag: 'notification',
  attrs: { id, type, from: BEN, t: '1', ...attrs },
})
const isAck = (id: string) => (stanza: BinaryNode) => stanza.tag === 'ack' && stanza.attrs.id === id
const retryReceipt = (attrs = {}): BinaryNode => ({
  tag: 'receipt',
  attrs: { id: 'M1', type: 'retry', from: BEN, t: '1', ...attrs },
  content: [{ tag: 'retry', attrs: { count: '1', id: 'M1', t: '1', v: '1' } }],
})
/** The library asks for more before it resends a message. */
const answerEmpty = ({ tag, attrs }: BinaryNode): BinaryNode | undefined =>
  tag === 'iq' ? { tag, attrs: { id: attrs.id ?? '', type: 'result', from: S_WHATSAPP_NET } } : undefined
const onClosed = ({ ev }: WASocket, listener: (error: CloseError) => void): void =>
  ev.on('connection.update', ({ lastDisconnect }) => {
    if (lastDisconnect) listener(lastDisconnect.error as CloseError)
  })

describe('the version', () => {
  assume(
    `the installed version is ${VERSION}, for which this file was written`,
    'library/library.test.ts',
    () => driverVersions().library === VERSION,
  )
})

describe('the socket', () => {
  assumeConnected(
    'every call that is passed on is a function of the socket',
    'library/library-socket.ts',
    ({ socket }) => CALLS.every((name) => typeof socket[name] === 'function'),
  )
  assumeConnected(
    'the calls of the socket can be taken out of it, because they do not use `this`',
    'library/library-socket.ts',
    async ({ socket: { query }, network }) => {
      void query({ tag: 'iq', attrs: { id: 'loose', type: 'get', to: S_WHATSAPP_NET } }).catch(
        () => undefined,
      )
      return (await network.received(({ attrs }) => attrs.id === 'loose')).tag === 'iq'
    },
  )
  let wasThere = false
  assumeConnected(
    '`ws.socket` is the inner WebSocket as soon as the socket is made, with send, close, terminate and once',
    'library/inner-socket.ts',
    () => wasThere,
    {
      onMade(socket) {
        const { send, close, terminate, once } = innerSocketOf(socket)
        wasThere = [send, close, terminate, once].every((each) => typeof each === 'function')
      },
    },
  )
  assumeConnected(
    'every frame passes a replaced `send` of the inner WebSocket, and its callback is given',
    'library/write-barrier.ts',
    async ({ socket }) => {
      const inner = innerSocketOf(socket)
      const frames: unknown[] = []
      inner.send = (data, done) => {
        frames.push(data)
        done?.()
      }
      await socket.sendNode({ tag: 'presence', attrs: {} })
      return frames.length === 1
    },
  )
  assumeConnected(
    'ending the connection calls a replaced `close` of the inner WebSocket',
    'library/inner-socket.ts',
    async ({ socket }) => {
      const inner = innerSocketOf(socket)
      const close = inner.close.bind(inner)
      let isCalled = false
      inner.close = () => {
        isCalled = true
        close()
      }
      await socket.end(undefined)
      return isCalled
    },
  )
  assumeConnected(
    'messages are kept for resending by messageRetryManager.addRecentMessage and by nothing else',
    'library/open-library.ts',
    ({ socket: { messageRetryManager: manager } }) => {
      if (!manager || typeof manager.addRecentMessage !== 'function') return false
      manager.addRecentMessage(BEN, 'kept', { conversation: 'x' })
      manager.addRecentMessage = () => undefined
      manager.addRecentMessage(BEN, 'dropped', { conversation: 'x' })
      const find = (id: string) => manager.getRecentMessage(BEN, id)
      return find('kept') !== undefined && find('dropped') === undefined
    },
  )
  const refused = Promise.withResolvers<unknown>()
  assumeConnected(
    'a server is refused if its certificate is not signed by WA_CERT_DETAILS.PUBLIC_KEY, which can be replaced',
    'library/root-key.ts',
    async () => /certificate/.test(String(await refused.promise)),
    { rootPublicKey: Buffer.alloc(32, 1), onMade: (socket) => onClosed(socket, refused.resolve) },
  )
})

describe('stanzas', () => {
  assumeConnected(
    'a stanza is emitted as CB:tag, as CB:tag,attribute:value and as CB:tag,,child',
    'library/library-socket.ts',
    async ({ socket, network }) => {
      const names = ['CB:ack', 'CB:ack,class:message', 'CB:ack,,child']
      const emitted = names.map((name) => new Promise((resolve) => socket.ws.on(name, resolve)))
      network.send({ tag: 'ack', attrs: { class: 'message' }, content: [{ tag: 'child', attrs: {} }] })
      await Promise.all(emitted)
      return true
    },
  )
  assumeConnected(
    'a prepended listener runs before the library answers',
    'library/library-socket.ts',
    async ({ socket, network }) => {
      let isNoted = false
      let wasNotedFirst = false
      socket.ws.prependListener('CB:notification', () => {
        isNoted = true
      })
      const inner = innerSocketOf(socket)
      const send = inner.send.bind(inner)
      inner.send = (data, done) => {
        wasNotedFirst = isNoted
        send(data, done)
      }
      network.send(notification('N1', 'some_new_type'))
      await network.received(isAck('N1'))
      return wasNotedFirst
    },
  )
  assumeConnected(
    'a notification of an unknown type is acknowledged by the library, with its class and type',
    'receiving/report-events.ts',
    async ({ network }) => {
      network.send(notification('N1', 'some_new_type'))
      const { attrs } = await network.received(isAck('N1'))
      return attrs.class === 'notification' && attrs.type === 'some_new_type' && attrs.to === BEN
    },
  )
  assumeConnected(
    'a request of the network that the library does not know gets no answer from it',
    'library/library-socket.ts',
    async ({ network }) => {
      network.send({
        tag: 'iq',
        attrs: { id: 'Q1', type: 'set', xmlns: 'some_new_name', from: S_WHATSAPP_NET },
      })
      network.send(notification('N1', 'any'))
      await network.received(isAck('N1'))
      return !network.stanzas.some(({ attrs }) => attrs.id === 'Q1')
    },
  )
  assumeConnected(
    'all listeners of stanzas are there when the socket is made, under names that begin with CB:',
    'library/contain-errors.ts',
    async ({ socket: { ws }, network }) => {
      const counts = () =>
        Object.fromEntries(
          ws
            .eventNames()
            .map((name) => [String(name), ws.listenerCount(name)] as const)
            .filter(([name]) => name.startsWith('CB:')),
        )
      const before = counts()
      network.send({ tag: 'success', attrs: { lid: '111:2@lid', t: '1' } })
      await network.received(({ content }) => Array.isArray(content) && content[0]?.tag === 'count')
      const others = ws
        .eventNames()
        .map(String)
        .filter((name) => !/^(?:CB:|TAG:)/.test(name))
      const known = new Set(['message', 'open', 'error', 'close', 'frame'])
      return isDeepStrictEqual(counts(), before) && others.every((name) => known.has(name))
    },
  )
  assumeConnected(
    'a stanza that its listener cannot read rejects in that listener, and the connection goes on',
    'library/contain-errors.ts',
    async ({ socket, network }) => {
      const noted: string[] = []
      containErrors(socket.ws, { log: { debug: (text) => noted.push(text) }, end: () => undefined })
      const pairing = { tag: 'pair-device', attrs: {}, content: [{ tag: 'ref', attrs: {} }] }
      network.send({ tag: 'iq', attrs: { id: 'odd', type: 'set' }, content: [pairing] })
      network.send(notification('N1', 'any'))
      await network.received(isAck('N1'))
      return noted.length === 1
    },
  )
  const frames: boolean[] = []
  assumeConnected(
    'each frame is emitted as `frame`: bytes during the handshake, and stanzas afterwards',
    'library/open-library.ts',
    async ({ network }) => {
      network.send(notification('N1', 'any'))
      await network.received(isAck('N1'))
      return frames[0] === true && frames.at(-1) === false
    },
    { onMade: ({ ws }) => void ws.on('frame', (frame: unknown) => frames.push(frame instanceof Uint8Array)) },
  )
  const waiting = Promise.withResolvers<undefined>()
  assumeConnected(
    'stanzas with an `offline` attribute are handled one after the other, and others at once',
    'receiving/arrivals.ts',
    async ({ network }) => {
      network.send(retryReceipt({ offline: 'no' }))
      network.send(notification('queued', 'any', { offline: 'no' }))
      network.send(notification('live', 'any'))
      await network.received(isAck('live'))
      const isQueued = !network.stanzas.some(isAck('queued'))
      waiting.resolve(undefined)
      await network.received(isAck('queued'))
      return isQueued
    },
    { answer: answerEmpty, getMessage: () => waiting.promise },
  )
  assumeConnected(
    'a message of the type view_once_unavailable_fanout is acknowledged, and its content is not requested from the phone',
    'receiving/arrivals.ts',
    async ({ socket, network }) => {
      const placeholder = { tag: 'unavailable', attrs: { type: 'view_once_unavailable_fanout' } }
      const t = String(Math.floor(Date.now() / 1000))
      network.send({
        tag: 'message',
        attrs: { id: 'V1', from: BEN, type: 'text', t },
        content: [placeholder],
      })
      // The library emits a message whose content it requests.
      let isRequested = false
      socket.ev.on('messages.upsert', () => {
        isRequested = true
      })
      const { attrs } = await network.received(isAck('V1'))
      network.send(notification('N1', 'any'))
      await network.received(isAck('N1'))
      return attrs.class === 'message' && attrs.error === undefined && !isRequested
    },
  )
  const lookedUp = Promise.withResolvers<boolean>()
  const log: string[] = []
  assumeConnected(
    'a retry receipt asks getMessage for the message, inside the mutex of receipts',
    'sending/resend.ts',
    async ({ socket, network }) => {
      network.send(retryReceipt())
      const isNamed = await lookedUp.promise
      await socket.receiptMutex.mutex(async () => log.push('after the receipt'))
      return isNamed && isDeepStrictEqual(log, ['looked up', 'after the receipt'])
    },
    {
      answer: answerEmpty,
      async getMessage({ id, remoteJid, participant }) {
        lookedUp.resolve(id === 'M1' && remoteJid === BEN && participant === BEN)
        await setImmediate()
        log.push('looked up')
        return undefined
      },
    },
  )
})

describe('linking and closing', () => {
  assumeClosing(
    'a refused login closes the connection with the code of the refusal, and with its attributes as data',
    'linking/close-cause.ts',
    { tag: 'failure', attrs: { reason: '402', expire: '60' } },
    ({ output, data }) => output?.statusCode === 402 && (data as { expire?: string }).expire === '60',
  )
  assumeClosing(
    'an error of the stream closes the connection with its code',
    'linking/close-cause.ts',
    { tag: 'stream:error', attrs: { code: '515' } },
    ({ output }) => output?.statusCode === 515,
  )
  assumeConnected(
    'the answer about a restriction is emitted as an event just before it is returned, as the same object',
    'linking/restriction.ts',
    async ({ socket }) => {
      const events: unknown[] = []
      socket.ev.on('connection.update', ({ reachoutTimeLock: lock }) => lock && events.push(lock))
      return events[0] === undefined && (await socket.fetchAccountReachoutTimelock()) === events[0]
    },
    {
      answer: ({ attrs }) =>
        attrs.xmlns === 'w:mex'
          ? {
              tag: 'iq',
              attrs: { id: attrs.id ?? '', type: 'result', from: S_WHATSAPP_NET },
              content: [{ tag: 'result', attrs: {}, content: Buffer.from(NO_RESTRICTION) }],
            }
          : undefined,
    },
  )
  assumeConnected(
    'a `creds.update` without the account is sent to the network as a presence without a type',
    'library/open-library.ts',
    async ({ socket, network }) => {
      socket.ev.emit('creds.update', { accountSyncCounter: 1 })
      const { attrs } = await network.received(({ tag }) => tag === 'presence')
      return attrs.name === undefined && attrs.type === undefined
    },
  )
  const emitted = new Set<string>()
  assumeConnected(
    'a replaced `emit` of the events is called by the library',
    'library/open-library.ts',
    () => emitted.has('connection.update'),
    {
      onMade({ ev }) {
        const emit = ev.emit.bind(ev)
        ev.emit = (event, data) => {
          emitted.add(event)
          return emit(event, data)
        }
      },
    },
  )
})

const NO_RESTRICTION = JSON.stringify({
  data: { xwa2_fetch_account_reachout_timelock: { is_active: false } },
})

/** The network sends this stanza, and the connection closes with this error. */
function assumeClosing(
  sentence: string,
  file: string,
  stanza: BinaryNode,
  fits: (error: CloseError & { data?: unknown }) => boolean,
): void {
  const closed = Promise.withResolvers<CloseError>()
  assumeConnected(
    sentence,
    file,
    async ({ network }) => {
      network.send(stanza)
      return fits(await closed.promise)
    },
    { onMade: (socket) => onClosed(socket, closed.resolve) },
  )
}
