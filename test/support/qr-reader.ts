// Reads a QR code from a picture.
import decodeQr from 'qr/decode.js'
import sharp from 'sharp'

/** The text in the code that this picture shows. Throws if it shows none. */
export async function readQrCode(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  // Without the limit of the library, which is made for frames of a camera: a slow machine must not read less.
  return decodeQr({ width: info.width, height: info.height, data }, { timeLimit: Infinity })
}
