// Reply buttons to the network.
import type { ContentOf } from '../../network/message.ts'
import { fileAbove, flowNodes, frame, nativeFlow, replyButton } from './native-flow.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export function buttonToNetwork({ interactive }: ContentOf<'button'>, facts: SendFacts): NetworkMessage {
  // Never inside a view-once wrapper: web and desktop then drop the buttons.
  const interactiveMessage = {
    ...frame(interactive, fileAbove(interactive.header, facts)),
    nativeFlowMessage: nativeFlow(interactive.buttons.map(replyButton)),
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}
