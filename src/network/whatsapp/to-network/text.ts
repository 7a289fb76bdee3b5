// A text to the network, without link previews: the gateway does not fetch links in messages.
import type { ContentOf } from '../../message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

/** `conversation` is the form of a text without quotes, mentions and previews. */
export const textToNetwork = ({ message }: ContentOf<'text'>, facts: SendFacts): NetworkMessage =>
  networkMessage({ conversation: message }, facts)
