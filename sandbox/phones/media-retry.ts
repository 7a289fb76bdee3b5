// Media that the network has dropped: a linked device asks its phone, which uploads the file again.
import { randomBytes } from 'node:crypto'
import { aesDecryptGCM, aesEncryptGCM, hkdf, proto } from 'baileys'
import { deviceOf, pnJid } from '../model/address.ts'
import { type Delivery, enqueue } from '../network/delivery.ts'
import type { RoutingState, SandboxState } from '../network/sandbox-state.ts'
import { findMessage } from '../store/messages.ts'
import { child, childBytes, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts'
import { mediaPart } from './media.ts'
import type { Phone } from './phone.ts'

const { NOT_FOUND, DECRYPTION_ERROR, SUCCESS } = proto.MediaRetryNotification.ResultType

export async function answerMediaRetry(
  state: RoutingState & Pick<SandboxState, 'media'>,
  phone: Phone,
  receipt: Stanza,
): Promise<Delivery[]> {
  const { id = '', from = '' } = receipt.attrs
  const answer = await uploadAgain(state, phone, id, receipt)
  const request = child(receipt, 'rmr')
  const attributes = { id, type: 'mediaretry', from: pnJid(phone.account), t: nowSeconds() }
  const content = request ? [request, answer] : [answer]
  return [enqueue(state.database, phone.account, deviceOf(from), stanza('notification', attributes, content))]
}

/** The path of the file, encrypted with a key that only devices with the message can derive, or an error. */
async function uploadAgain(
  state: RoutingState & Pick<SandboxState, 'media'>,
  phone: Phone,
  id: string,
  receipt: Stanza,
): Promise<Stanza> {
  const message = findMessage(state.database, phone.account.number, id)
  const part = message && mediaPart(proto.Message.decode(message.content))?.part
  const { directPath, mediaKey } = part ?? {}
  if (!directPath || !mediaKey) return refuse(NOT_FOUND)
  const key = hkdf(mediaKey, 32, { info: 'WhatsApp Media Retry Notification' })
  const bound = Buffer.from(id)
  try {
    const request = child(receipt, 'encrypt')
    aesDecryptGCM(childBytes(request, 'enc_p'), key, childBytes(request, 'enc_iv'), bound)
  } catch {
    return refuse(DECRYPTION_ERROR)
  }
  if (!(await state.media.restore(state.media.fileAt(directPath)))) return refuse(NOT_FOUND)
  const iv = randomBytes(12)
  const answer = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result: SUCCESS }).finish()
  return stanza('encrypt', {}, [
    stanza('enc_p', {}, aesEncryptGCM(answer, key, iv, bound)),
    stanza('enc_iv', {}, iv),
  ])
}

function refuse(code: number): Stanza {
  return stanza('error', { code: String(code) })
}
