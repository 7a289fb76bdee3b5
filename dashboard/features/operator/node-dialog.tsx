// Confirms that a node is drained or resumed: in both cases instances are disconnected for a moment.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ClusterNode } from '../../../src/contract/nodes.ts'
import { api } from '../../gateway/api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

export type NodeAction = 'drain' | 'resume'

export interface NodeDialogProps {
  action: NodeAction
  node: ClusterNode
  onClose(): void
}

export function NodeDialog({ action, node: { id, name }, onClose }: NodeDialogProps) {
  const { nodes: t } = useTexts(operatorTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const work = useMutation({
    mutationFn: () =>
      action === 'drain'
        ? api.adminDrainNode({ params: { nodeId: id } })
        : api.adminResumeNode({ params: { nodeId: id } }),
    async onSuccess() {
      toasts.done(action === 'drain' ? t.drained : t.resumed)
      onClose()
      await queries.invalidateQueries({ queryKey: ['operator', 'nodes'] })
    },
  })
  return (
    <ConfirmDialog
      title={t[`${action}Title`](name)}
      text={t[`${action}Text`]}
      action={t[action]}
      kind={action === 'drain' ? 'danger' : 'primary'}
      work={work}
      onClose={onClose}
    />
  )
}
