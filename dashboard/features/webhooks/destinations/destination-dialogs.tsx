// The dialogs of a destination: create, edit, test, delete; and how it is paused.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../gateway/api.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { TestDialog } from '../test-dialog.tsx'
import type { Destination } from './destination.ts'
import { DestinationForm } from './destination-form.tsx'
import { destinationTexts } from './texts/destination-texts.ts'

export type RequestedDestination =
  | { what: 'create' }
  | { what: 'edit' | 'test' | 'remove'; destination: Destination }

/** Pauses or resumes a destination. */
export function useTurn() {
  const t = useTexts(destinationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { id: number; enabled: boolean }) => api.saveDestination({ body }),
    onSuccess(_answer, { enabled }) {
      toasts.done(enabled ? t.resumed : t.paused)
      void queries.invalidateQueries({ queryKey: ['destinations'] })
    },
    onError: toasts.failed,
  })
}

export interface DestinationDialogsProps {
  requested: RequestedDestination | undefined
  onClose(): void
  onRemoved?(): void
}

export function DestinationDialogs({ requested, onClose, onRemoved }: DestinationDialogsProps) {
  switch (requested?.what) {
    case undefined:
      return null
    case 'create':
      return <DestinationForm onClose={onClose} />
    case 'edit':
      return <DestinationForm destination={requested.destination} onClose={onClose} />
    case 'test': {
      const { id, name, url } = requested.destination
      const send = () => api.testDestination({ params: { id: String(id) } })
      return <TestDialog name={name} url={url} send={send} onClose={onClose} />
    }
    case 'remove':
      return <RemoveDialog destination={requested.destination} onClose={onClose} onRemoved={onRemoved} />
  }
}

interface RemoveDialogProps {
  destination: Destination
  onClose(): void
  onRemoved: DestinationDialogsProps['onRemoved']
}

function RemoveDialog({ destination, onClose, onRemoved }: RemoveDialogProps) {
  const t = useTexts(destinationTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.deleteDestination({ params: { id: String(destination.id) } }),
    onSuccess() {
      toasts.done(t.removed)
      onClose()
      onRemoved?.()
      void queries.invalidateQueries({ queryKey: ['destinations'], exact: true })
    },
  })
  return (
    <ConfirmDialog
      title={t.removeTitle(destination.name)}
      text={t.removeText}
      action={t.remove}
      work={remove}
      onClose={onClose}
    />
  )
}
