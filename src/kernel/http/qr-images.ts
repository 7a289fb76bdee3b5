// Login codes as images. Drawing one blocks the event loop for about 30 ms, so requests for the same code share one image, and
// the event loop runs between two drawings (decision 0081).
import { setImmediate as nextTurn } from 'node:timers/promises'
import QRCode from 'qrcode'
import { createSerialQueue } from '../async/locks.ts'

/** Pixels per side: large enough to scan at arm's length. */
const WIDTH = 400

export type DrawQr = (code: string) => Promise<Uint8Array>

const draw: DrawQr = (code) => QRCode.toBuffer(code, { width: WIDTH })

export function createQrImages(drawOne: DrawQr = draw): DrawQr {
  const inProgress = new Map<string, Promise<Uint8Array>>()
  const drawings = createSerialQueue()
  return (code) => {
    const shared = inProgress.get(code)
    if (shared) return shared
    const image = drawings
      .run(async () => {
        await nextTurn()
        return drawOne(code)
      })
      .finally(() => inProgress.delete(code))
    inProgress.set(code, image)
    return image
  }
}
