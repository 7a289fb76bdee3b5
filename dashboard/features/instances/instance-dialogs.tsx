// Dialogs to log out and to delete an instance. Only a logged-out instance can be deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { instanceTexts } from './texts/instance-texts.ts'

interface Props {
  instance: { apiInstanceName: string; displayName: string }
  onClose(): void
  onDone?(): void
}

export function LogoutDialog({ instance, onClose }: Props) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const toasts = useToasts()
  const logout = useMutation({
    mutationFn: () => api.logoutInstance({ query: { instanceName: instance.apiInstanceName } }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['instances'] })
      toasts.done(t.loggedOut)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t.logoutTitle(instance.displayName)}
      text={t.logoutText}
      action={t.logout}
      work={logout}
      onClose={onClose}
    />
  )
}

export function DeleteDialog({ instance, onClose, onDone }: Props) {
  const t = useTexts(instanceTexts)
  const queries = useQueryClient()
  const toasts = useToasts()
  const query = { instanceName: instance.apiInstanceName }
  const remove = useMutation({
    mutationFn: () => api.deleteInstance({ query }),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['instances'] })
      toasts.done(t.removed)
      onClose()
      onDone?.()
    },
  })
  const logout = useMutation({
    mutationFn: () => api.logoutInstance({ query }),
    onSuccess() {
      remove.reset()
      void queries.invalidateQueries({ queryKey: ['instances'] })
    },
  })
  const isConnected = remove.error instanceof ApiError && remove.error.reason === 'instance_still_connected'
  return (
    <ConfirmDialog
      title={t.removeTitle(instance.displayName)}
      text={t.removeText}
      action={t.remove}
      work={isConnected ? { ...remove, error: null } : remove}
      onClose={onClose}
    >
      {isConnected ? (
        <div className="note warn stack close" role="alert">
          {t.removeConnected}
          <div>
            <Button small busy={logout.isPending} onClick={() => logout.mutate()}>
              {t.logout}
            </Button>
          </div>
        </div>
      ) : null}
      {logout.error ? <ErrorNote error={logout.error} /> : null}
    </ConfirmDialog>
  )
}
