// Dialogs to log out and to delete an instance. Only a logged-out instance can be deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../../gateway/api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { ErrorNote } from '../../ui/page-head.tsx'
import { uiTexts } from '../../ui/texts/ui-texts.ts'
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
  const ui = useTexts(uiTexts)
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
    <Dialog title={t.removeTitle(instance.displayName)} onClose={onClose}>
      <p>{t.removeText}</p>
      {isConnected ? (
        <div className="note warn stack close" role="alert">
          {t.removeConnected}
          <div>
            <Button small busy={logout.isPending} onClick={() => logout.mutate()}>
              {t.logout}
            </Button>
          </div>
        </div>
      ) : remove.error ? (
        <ErrorNote error={remove.error} />
      ) : null}
      {logout.error ? <ErrorNote error={logout.error} /> : null}
      <div className="row end">
        <Button onClick={onClose}>{ui.cancel}</Button>
        <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t.remove}
        </Button>
      </div>
    </Dialog>
  )
}
