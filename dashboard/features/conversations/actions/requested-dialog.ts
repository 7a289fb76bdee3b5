// What the dialogs that change a message take.
import type { OpenChat } from '../chat-address.ts'
import type { ShownMessage } from '../shown-messages.ts'

export type RequestedDialog = 'edit' | 'forward' | 'pin' | 'delete'

export interface MessageDialogProps {
  open: OpenChat
  shown: ShownMessage
  onClose(): void
}
