// A PIX key to the network: the flow in which phones in Brazil show the key of a seller.
import { createHash } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import type { PixKeyType } from '../../contract/message-values.ts'
import type { ContentOf } from '../../network/message.ts'
import { flowButton, nativeFlow } from './native-flow.ts'
import { type NetworkMessage, networkMessage, type SendFacts } from './network-message.ts'

export const PIX_FLOW = 'payment_info'

/** The names of the network. */
export const KEY_TYPES: Readonly<Record<PixKeyType, string>> = {
  phone: 'PHONE',
  email: 'EMAIL',
  cpf: 'CPF',
  cnpj: 'CNPJ',
  random: 'EVP',
}

export function pixToNetwork(content: ContentOf<'pix'>, facts: SendFacts): NetworkMessage {
  const button = flowButton(PIX_FLOW, payment(content, referenceOf(facts)))
  return networkMessage({ interactiveMessage: { nativeFlowMessage: nativeFlow([button]) } }, facts, PIX_NODES)
}

const NOTHING = { value: 0, offset: 100 }

/** An order without items and amount: the payer enters the amount. */
const payment = ({ merchantName, key, keyType }: ContentOf<'pix'>, reference: string) => ({
  currency: 'BRL',
  total_amount: NOTHING,
  reference_id: reference,
  type: 'physical-goods',
  order: {
    status: 'pending',
    subtotal: NOTHING,
    order_type: 'ORDER',
    items: [{ name: '', amount: NOTHING, quantity: 0, sale_amount: NOTHING }],
  },
  payment_settings: [
    {
      type: 'pix_static_code',
      pix_static_code: { merchant_name: merchantName, key, key_type: KEY_TYPES[keyType] },
    },
  ],
  share_payment_status: false,
})

const REFERENCE_LENGTH = 11

/** Unique per message, and the same on every attempt. */
const referenceOf = ({ messageSecret }: SendFacts): string =>
  createHash('sha256').update(messageSecret).digest('hex').slice(0, REFERENCE_LENGTH).toUpperCase()

/** Payments have a node of their own, which names the flow. */
const PIX_NODES: BinaryNode[] = [{ tag: 'biz', attrs: { native_flow_name: PIX_FLOW } }]
