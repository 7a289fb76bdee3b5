// Leaves out receipts that can change nothing. Every member of a group sends one for each message, and only the first moves its status.
import { createBoundedMap } from '../kernel/async/bounded-map.ts'
import { isForward } from '../messages/rules-status.ts'
import type { NetworkEvent } from '../network/network.ts'

type Receipt = Extract<NetworkEvent, { kind: 'receipt' }>
type Status = Receipt['status']

/** Messages of an instance whose status is known here. Receipts of a message arrive close to each other. */
const MESSAGES_KEPT = 500

export interface ReceiptNews {
  /**
   * Resolves when the receipt is stored, or when what is stored already makes it old: its acknowledgement, which waits for this, never
   * leaves before the commit that it relies on.
   */
  record(receipt: Receipt): Promise<void>
}

/** `store` resolves with the messages whose status it has moved, after the commit. */
export function createReceiptNews(store: (receipt: Receipt) => Promise<readonly string[]>): ReceiptNews {
  /** The status of messages that a receipt has moved. A status never goes backwards, so that it is at least this one. */
  const reached = createBoundedMap<string, Status>(MESSAGES_KEPT)
  const underWay = new Map<string, { status: Status; stored: Promise<unknown> }>()

  const isNews = (messageId: string, status: Status): boolean => {
    const known = reached.get(messageId)
    return known === undefined || isForward(known, status)
  }
  /** Another one, of the same message and as far, is being stored. It may be refused, and then this one counts. */
  const earlierOnes = ({ messageIds, status }: Receipt): Promise<unknown>[] =>
    messageIds.flatMap((messageId) => {
      const other = underWay.get(messageId)
      return other && !isForward(other.status, status) ? [other.stored] : []
    })

  async function storeNews(receipt: Receipt): Promise<void> {
    const storing = store(receipt)
    const entry = { status: receipt.status, stored: storing.catch(() => undefined) }
    for (const messageId of receipt.messageIds) underWay.set(messageId, entry)
    try {
      for (const messageId of await storing)
        if (isNews(messageId, receipt.status)) reached.set(messageId, receipt.status)
    } finally {
      for (const messageId of receipt.messageIds)
        if (underWay.get(messageId) === entry) underWay.delete(messageId)
    }
  }

  return {
    async record(receipt) {
      const others = earlierOnes(receipt)
      if (others.length > 0) await Promise.all(others)
      const messageIds = receipt.messageIds.filter((messageId) => isNews(messageId, receipt.status))
      if (messageIds.length > 0) await storeNews({ ...receipt, messageIds })
    },
  }
}
