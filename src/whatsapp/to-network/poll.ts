// A poll to the network. Votes come back encrypted with the message's secret.
import type { ContentOf } from '../../network/message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export function pollToNetwork(content: ContentOf<'poll'>, facts: SendFacts): NetworkMessage {
  const poll = {
    name: content.pollName,
    options: content.options.map((optionName) => ({ optionName })),
    selectableOptionsCount: content.selectableCount,
  }
  // Phones limit a poll to one answer only in its third version.
  const message =
    content.selectableCount === 1 ? { pollCreationMessageV3: poll } : { pollCreationMessage: poll }
  return networkMessage(message, facts, [{ tag: 'meta', attrs: { polltype: 'creation' } }])
}
