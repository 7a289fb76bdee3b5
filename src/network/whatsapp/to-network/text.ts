// A text to the network. Links are not looked up: the gateway fetches nothing that a message merely mentions.
import type { ContentOf } from '../../message.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

/** `conversation` is how phones write a text that quotes, mentions and previews nothing. */
export const textToNetwork = ({ message }: ContentOf<'text'>, facts: SendFacts): NetworkMessage =>
  networkMessage({ conversation: message }, facts)
