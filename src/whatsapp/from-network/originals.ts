// Messages that others refer to: the secret that they carry, and what is encrypted with it.
import type { proto } from 'baileys'
import type { PersonIds } from '../../network/message.ts'
import { decryptWithAny, type Encrypted, type SecretUse } from '../../network/message-secrets.ts'
import { type Bounded, decodeBounded, type WireType } from '../library/received-limits.ts'
import { idsOf, plainJid } from './people.ts'
import { optionNames } from './poll.ts'
import type { KnownOriginal, ReadingFacts } from './reading.ts'
import { pollIn } from './text-of.ts'
import { unwrap } from './unwrap.ts'
import { bytesOrNull } from './wire-values.ts'

type Key = proto.IMessageKey | null | undefined

const SECRET_BYTES = 32

/** The secret of a message; null if it carries none. Expects unwrapped content. */
export function secretOf(content: proto.IMessage): Buffer | null {
  const secret =
    bytesOrNull(content.messageContextInfo?.messageSecret) ?? bytesOrNull(pollIn(content)?.encKey)
  return secret?.length === SECRET_BYTES ? secret : null
}

/** From a sent or received message. */
export function knownOriginal(message: proto.IMessage): KnownOriginal {
  const { content } = unwrap(message)
  const [secret, poll] = [secretOf(content), pollIn(content)]
  return { secrets: secret ? [secret] : [], options: poll ? optionNames(poll) : null }
}

interface Sealed<T> {
  use: SecretUse
  type: WireType<T>
  encrypted: Encrypted | null | undefined
  /** Of the message with the secret. */
  key: Key
  /** As for the gate of received content. */
  name?: string
}

/**
 * What the sender of a message has encrypted with the secret of another one, within the limits of received content; undefined if it
 * cannot be decrypted or is not of this type.
 */
export function openWithSecret<T extends object>(
  { use, type, encrypted, key, name }: Sealed<T>,
  facts: ReadingFacts,
): Bounded<T> | undefined {
  if (!encrypted) return undefined
  const messageId = key?.id ?? ''
  const { secrets } = facts.findOriginal(messageId) ?? { secrets: [] }
  const [authors, senders] = [possibleAuthors(key, facts), namesOf(facts.from)]
  const plain = decryptWithAny(encrypted, { use, secrets, messageId, authors, senders })
  try {
    return plain && decodeBounded(type, plain, name)
  } catch {
    return undefined
  }
}

/** The key is relative to the sender, or to this account if the library has converted it: all people who may be meant. */
function possibleAuthors(key: Key, { me, from, chat, resolve }: ReadingFacts): string[] {
  const named = [key?.participant, key?.remoteJid, chat]
    .filter((jid): jid is string => Boolean(jid))
    .map(plainJid)
  const people = named.filter((jid) => /@(s\.whatsapp\.net|lid)$/.test(jid))
  const names = [me, from, ...people.flatMap((jid) => [resolve(jid), idsOf(jid)])].flatMap(namesOf)
  return [...new Set(names)]
}

const namesOf = ({ jid, lid }: PersonIds): string[] => (lid === null || lid === jid ? [jid] : [jid, lid])
