// The invite link of a group: show, copy and replace it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../gateway/api.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Loaded } from '../../../ui/page-head.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import { type GroupReference, inputOf, inviteQuery } from './group-queries.ts'
import { groupTexts } from './texts/group-texts.ts'

export function GroupInvite({ reference }: { reference: GroupReference }) {
  const t = useTexts(groupTexts)
  const toasts = useToasts()
  const queries = useQueryClient()
  const query = useQuery(inviteQuery(reference))
  const [isAsking, setAsking] = useState(false)
  const reset = useMutation({
    mutationFn: () => api.resetGroupInvite(inputOf(reference)),
    onSuccess(invite) {
      queries.setQueryData(inviteQuery(reference).queryKey, invite)
      toasts.done(t.inviteReset)
      setAsking(false)
    },
  })
  return (
    <Card
      title={t.invite}
      actions={
        <Button small onClick={() => setAsking(true)}>
          {t.resetInvite}
        </Button>
      }
    >
      <p className="muted small">{t.inviteText}</p>
      <Loaded query={query}>
        {({ link, code }) => (
          <>
            <CopyField label={t.inviteLink} value={link} />
            <CopyField label={t.inviteCode} value={code} />
          </>
        )}
      </Loaded>
      {isAsking ? (
        <ConfirmDialog
          title={t.resetInvite}
          text={t.resetInviteText}
          action={t.resetInvite}
          work={reset}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  )
}
