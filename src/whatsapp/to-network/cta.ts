// Buttons of several types to the network: open an address, call a number, copy a code, or reply.
import type { ContentOf } from '../../network/message.ts'
import { fileAbove, flowButton, flowNodes, frame, nativeFlow, quickReply } from './native-flow.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

type CtaButton = ContentOf<'cta'>['interactive']['buttons'][number]

export function ctaToNetwork({ interactive }: ContentOf<'cta'>, facts: SendFacts): NetworkMessage {
  const interactiveMessage = {
    ...frame(interactive, fileAbove(interactive.header, facts)),
    nativeFlowMessage: nativeFlow(sorted(interactive.buttons).map(ctaButton)),
  }
  return networkMessage({ interactiveMessage }, facts, flowNodes(facts.nowMs))
}

/** By `index` if it is given, else by position. */
const sorted = (buttons: readonly CtaButton[]): CtaButton[] =>
  buttons
    .map((button, position) => ({ button, rank: button.index ?? position }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ button }) => button)

function ctaButton({ urlButton, callButton, copyButton, replyButton }: CtaButton) {
  if (urlButton) {
    const { displayText, url } = urlButton
    return flowButton('cta_url', { display_text: displayText, url, merchant_url: url })
  }
  if (callButton) {
    const { displayText, phoneNumber } = callButton
    return flowButton('cta_call', { display_text: displayText, phone_number: international(phoneNumber) })
  }
  if (copyButton) {
    const { displayText, copyCode } = copyButton
    return flowButton('cta_copy', { display_text: displayText, copy_code: copyCode })
  }
  if (replyButton) return quickReply(replyButton.displayText, replyButton.buttonId)
  throw new Error('a button has an address, a number, a code or an id')
}

/** Phones dial the number unchanged. */
const international = (phoneNumber: string): string => `+${phoneNumber.replace(/\D/g, '')}`
