// Frames on the socket: one intro, then a length of three bytes before each payload.
import { NOISE_WA_HEADER } from 'baileys'

const LENGTH_BYTES = 3
/** A returning client may put `ED`, two version bytes, a length and its routing info before the intro. */
const ROUTING_HEADER_BYTES = 7

export type FrameReader = (chunk: Uint8Array) => Buffer[]

/** Takes socket chunks and returns the frames that are complete. */
export function createFrameReader(): FrameReader {
  let pending: Buffer = Buffer.alloc(0)
  let introSeen = false
  return (chunk) => {
    pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : Buffer.from(chunk)
    if (!introSeen) {
      const start = introEnd(pending)
      if (start === undefined) return []
      pending = pending.subarray(start)
      introSeen = true
    }
    const frames: Buffer[] = []
    while (pending.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + pending.readUIntBE(0, LENGTH_BYTES)
      if (pending.length < end) break
      frames.push(pending.subarray(LENGTH_BYTES, end))
      pending = pending.subarray(end)
    }
    return frames
  }
}

export function frame(payload: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(LENGTH_BYTES + payload.length)
  framed.writeUIntBE(payload.length, 0, LENGTH_BYTES)
  framed.set(payload, LENGTH_BYTES)
  return framed
}

/** The offset after the intro, or undefined while the intro is incomplete. */
function introEnd(bytes: Buffer): number | undefined {
  let start = 0
  if (bytes.toString('latin1', 0, 2) === 'ED') {
    if (bytes.length < ROUTING_HEADER_BYTES) return undefined
    start = ROUTING_HEADER_BYTES + bytes.readUIntBE(4, 3)
  }
  const end = start + NOISE_WA_HEADER.length
  if (bytes.length < end) return undefined
  if (!bytes.subarray(start, end).equals(NOISE_WA_HEADER)) throw new Error('not a client of this protocol')
  return end
}
