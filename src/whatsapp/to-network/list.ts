// A list menu to the network, in the older form that all phones show; some phones do not show it as a native flow.
import { type BinaryNode, proto } from 'baileys'
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export function listToNetwork({ interactive }: ContentOf<'list'>, facts: SendFacts): NetworkMessage {
  const listMessage = {
    ...(interactive.title !== undefined && { title: interactive.title }),
    description: interactive.text,
    buttonText: interactive.buttonText,
    ...(interactive.footerText !== undefined && { footerText: interactive.footerText }),
    listType: proto.Message.ListMessage.ListType.SINGLE_SELECT,
    sections: interactive.sections.map(section),
  }
  return networkMessage({ listMessage }, facts, listNodes())
}

const section = ({ title, rows }: ContentOf<'list'>['interactive']['sections'][number]) => ({
  ...(title !== undefined && { title }),
  rows: rows.map((row) => ({
    title: row.title,
    ...(row.description !== undefined && { description: row.description }),
    rowId: row.rowId,
  })),
})

const listNodes = (): BinaryNode[] => [
  { tag: 'biz', attrs: {}, content: [{ tag: 'list', attrs: { type: 'product_list', v: '2' } }] },
]
