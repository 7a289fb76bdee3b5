// What the dialogs that change a message take.
import type { OpenChat } from '../model/chat-address.ts'
import type { ThreadMessage } from '../model/shown-messages.ts'

export type RequestedDialog = 'edit' | 'forward' | 'pin' | 'delete'

export interface MessageDialogProps {
  open: OpenChat
  shown: ThreadMessage
  onClose(): void
}
