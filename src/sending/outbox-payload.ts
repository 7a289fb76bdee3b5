// The payload of a sent message: what goes over the wire, stored before the first try. Every retry, and every answer to a device
// that asks for the message again, sends the same bytes.

export interface SentPayload {
  instanceId: number
  messageId: string
  payload: Uint8Array
  /** When the message was accepted: the same at every try. */
  acceptedAt: number
}
