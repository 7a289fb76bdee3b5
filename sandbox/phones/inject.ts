// Puts frames of any content on the wire, as a hostile contact or a changed network would.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { decodeBinaryNode, generateMessageIDV2, proto, type WAPatchName } from 'baileys'
import type { InjectedFrame } from '../../src/contract/sandbox-injections.ts'
import { deviceKey, jidOf, pnJid } from '../model/address.ts'
import { Refusal } from '../model/refusal.ts'
import type { Account } from '../model/world.ts'
import { addPatch } from '../network/app-state.ts'
import type { Connection } from '../network/connection.ts'
import { type Delivery, deliver, enqueue } from '../network/delivery.ts'
import { takeBundle } from '../network/key-directory.ts'
import { routeMessage } from '../network/routing.ts'
import { stanza } from '../wire/stanza.ts'
import { pushChange } from './app-state.ts'
import type { Phone, StateWithPhones } from './phone.ts'

/** Resolves with false if the frame had no receiver: a live frame needs a client that is connected. */
export async function injectFrame(
  state: StateWithPhones,
  account: Account,
  frame: InjectedFrame,
): Promise<boolean> {
  const bytes = Buffer.from(frame.bytes, 'base64')
  switch (frame.as) {
    case 'hello':
      state.faults.hellos.push(bytes)
      return true
    case 'socket':
      return toLiveDevices(state, account, (connection) => connection.sendRaw(bytes))
    case 'frame':
      return toLiveDevices(state, account, (connection) => connection.sendEncoded(bytes))
    case 'stanza':
      return queueStanza(state, account, bytes)
    case 'plaintext':
      return sendPlaintext(state, account, senderOf(state, frame.from), bytes)
    case 'media':
      await state.media.receive(Readable.from([bytes]), createHash('sha256').update(bytes).digest())
      return true
    case 'patch':
      await addPatch(state, account, frame.collection, bytes, 0).catch(refuse('is not a patch'))
      return true
    case 'action':
      return pushAction(state, account, frame, bytes)
  }
}

function toLiveDevices(
  { online }: Pick<StateWithPhones, 'online'>,
  account: Account,
  send: (connection: Connection) => void,
): boolean {
  const connections = [...account.devices.keys()].flatMap(
    (device) => online.get(deviceKey(account.number, device)) ?? [],
  )
  const live = connections.filter(({ login }) => login?.live)
  for (const connection of live) send(connection)
  return live.length > 0
}

/** The queue holds what can be decoded, because it is decoded again at every login. */
async function queueStanza(state: StateWithPhones, account: Account, bytes: Buffer): Promise<boolean> {
  const node = await decodeBinaryNode(bytes).catch(refuse('is not an encoded stanza'))
  await deliver(
    state,
    [...account.devices.keys()].map((device) => enqueue(state.database, account, device, node)),
  )
  return account.devices.size > 0
}

const refuse = (what: string) => (): never => {
  throw new Refusal('invalid_request', `The request is not valid: bytes: ${what}`)
}

function senderOf({ phones }: StateWithPhones, number: string): Phone {
  const phone = phones.get(number)
  if (!phone) throw new Refusal('phone_not_found', `No phone has the number ${number}.`)
  return phone
}

/** The version of the kind of change: readers of the sandbox and of the library do not look at it. */
const ACTION_VERSION = 1

async function pushAction(
  state: StateWithPhones,
  account: Account,
  { collection, index }: Extract<InjectedFrame, { as: 'action' }>,
  bytes: Buffer,
): Promise<boolean> {
  const syncAction = decodeAction(bytes)
  await pushChange(state, senderOf(state, account.number), {
    // The library lists the collections that it knows. A phone may use others.
    type: collection as WAPatchName,
    index,
    syncAction,
    apiVersion: ACTION_VERSION,
    operation: proto.SyncdMutation.SyncdOperation.SET,
  })
  return true
}

function decodeAction(bytes: Buffer): proto.ISyncActionValue {
  try {
    return proto.SyncActionValue.decode(bytes)
  } catch {
    return refuse('is not a change of the app state')()
  }
}

async function sendPlaintext(
  state: StateWithPhones,
  account: Account,
  sender: Phone,
  bytes: Buffer,
): Promise<boolean> {
  const deliveries = await sender.runExclusive(async (): Promise<Delivery[]> => {
    const parts = []
    for (const device of account.devices.keys()) {
      const jid = jidOf(account, 'lid', device)
      if (!(await sender.signal.hasSession(jid))) {
        const bundle = takeBundle(state, jid)
        if (bundle) await sender.signal.startSession(jid, bundle)
      }
      const part = await sender.signal.encryptBytes(jid, bytes)
      parts.push(stanza('to', { jid: jidOf(account, state.world.addressing, device) }, [part]))
    }
    const to = jidOf(account, state.world.addressing)
    const attributes = { id: generateMessageIDV2(pnJid(sender.account)), to, type: 'text' }
    const node = stanza('message', attributes, [stanza('participants', {}, parts)])
    const routed = routeMessage(state, { account: sender.account, device: 0 }, node)
    sender.signal.keys.save()
    return 'error' in routed ? [] : routed.deliveries
  })
  await deliver(state, deliveries)
  return deliveries.length > 0
}
