// Uploads the picture of a group or of the account itself. The library's call decodes and scales the picture first, without a limit: a
// small file can take gigabytes. Here it is a finished JPEG, and goes out as it is.
import { S_WHATSAPP_NET, type WASocket } from 'baileys'

/** `group`: undefined for the picture of the account itself. */
export async function uploadPicture(
  socket: Pick<WASocket, 'query'>,
  group: string | undefined,
  jpeg: Uint8Array,
): Promise<void> {
  const picture = { tag: 'picture', attrs: { type: 'image' }, content: Buffer.from(jpeg) }
  const target = group === undefined ? {} : { target: group }
  const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'w:profile:picture', ...target }
  await socket.query({ tag: 'iq', attrs, content: [picture] })
}
