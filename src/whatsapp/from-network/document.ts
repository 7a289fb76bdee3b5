// A document from the network.
import type { ReadKind } from './reading.ts'
import { mediaFrom } from './received-media.ts'
import { countOf, present, textOrNull } from './wire-values.ts'

export const readDocument: ReadKind = ({ documentMessage }) =>
  documentMessage
    ? {
        type: 'document',
        text: textOrNull(documentMessage.caption),
        media: mediaFrom('document', {
          ...documentMessage,
          fileName: documentMessage.fileName || documentMessage.title || null,
        }),
        content: present({
          title: textOrNull(documentMessage.title),
          pageCount: countOf(documentMessage.pageCount) || null,
        }),
        contextInfo: documentMessage.contextInfo,
      }
    : null
