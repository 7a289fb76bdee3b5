// A row chosen from a list menu.
import type { ReadKind } from './reading.ts'
import { present, textOrNull } from './wire-values.ts'

export const readListReply: ReadKind = ({ listResponseMessage }) =>
  listResponseMessage
    ? {
        type: 'list_reply',
        text: textOrNull(listResponseMessage.title),
        interactiveReplyId: textOrNull(listResponseMessage.singleSelectReply?.selectedRowId),
        content: present({ description: textOrNull(listResponseMessage.description) }),
        contextInfo: listResponseMessage.contextInfo,
      }
    : null
