// Names of received files: they contain the instance and the message, because the path of the dialect has room for one name. Pure.

const PREFIX = 'file-'

export interface ReceivedFileName {
  instanceName: string
  messageId: string
}

/** A stranger chooses the id of a message: encoded, it is safe in every path. */
export const fileIdOf = ({ instanceName, messageId }: ReceivedFileName): string =>
  PREFIX + Buffer.from(`${instanceName}/${messageId}`).toString('base64url')

/** Undefined: this is not the name of a received file. */
export function receivedFileOf(id: string): ReceivedFileName | undefined {
  if (!id.startsWith(PREFIX)) return undefined
  const plain = Buffer.from(id.slice(PREFIX.length), 'base64url').toString()
  const at = plain.indexOf('/')
  return at < 1 ? undefined : { instanceName: plain.slice(0, at), messageId: plain.slice(at + 1) }
}

/** As `POST /media` of this API names it. */
export const isUploadedFile = (id: string): boolean => id.startsWith('media-')
