// The call that puts frames of any content on the wire: what a hostile contact, or a changed network, could send to a client.
import { z } from 'zod'
import { number as phoneNumber } from './fields.ts'

const MAX_FRAMES = 500
const MAX_INDEX = 100
const bytes = z.base64().max(1_400_000)
const collection = z.string().min(1).max(40)

/** Each of them is one level further inside the protocol. */
const frame = z.discriminatedUnion('as', [
  /** The answer to the next handshake, of any client. */
  z.strictObject({ as: z.literal('hello'), bytes }),
  /** Bytes of the socket, outside the encryption. */
  z.strictObject({ as: z.literal('socket'), bytes }),
  /** The content of one encrypted frame. */
  z.strictObject({ as: z.literal('frame'), bytes }),
  /** An encoded stanza that stays in the queue until the client acknowledges it, as messages of contacts do. */
  z.strictObject({ as: z.literal('stanza'), bytes }),
  /** The text of a message, with its padding, that the phone of a contact encrypts and sends. */
  z.strictObject({ as: z.literal('plaintext'), from: phoneNumber, bytes }),
  /** A file of the media host. Its path is `/v/HASH.enc`, with the SHA-256 hash of the bytes in hexadecimal digits. */
  z.strictObject({ as: z.literal('media'), bytes }),
  /** A patch of the app state (`SyncdPatch`), as the network passes it on from another device of the account. */
  z.strictObject({ as: z.literal('patch'), collection, bytes }),
  /** A change of the app state (`SyncActionValue`) that the account's phone encrypts and adds. The index names its kind and its chat. */
  z.strictObject({
    as: z.literal('action'),
    collection,
    index: z.array(z.string().max(1_000_000)).min(1).max(MAX_INDEX),
    bytes,
  }),
])

export const injectFrames = z
  .strictObject({ number: phoneNumber, frames: z.array(frame).min(1).max(MAX_FRAMES) })
  .meta({
    examples: [{ number: '5511912345678', frames: [{ as: 'frame', bytes: 'AAAA' }] }],
  })

export type InjectedFrame = z.output<typeof frame>
