// Resumes a gateway that is on hold after a restore, with a confirmation that names the consequences.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../gateway/api.ts'
import { healthQuery } from '../../gateway/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useToasts } from '../../ui/toast.tsx'
import { operatorTexts } from './texts/operator-texts.ts'

export function OperatorHold() {
  const { hold: t } = useTexts(operatorTexts)
  const [isAsking, setAsking] = useState(false)
  const toasts = useToasts()
  const queries = useQueryClient()
  const held = useQuery(healthQuery).data?.held ?? null
  const resume = useMutation({
    mutationFn: () => api.adminResume(),
    async onSuccess() {
      setAsking(false)
      toasts.done(t.resumed)
      await queries.invalidateQueries()
    },
  })
  if (held !== 'restored') return null
  return (
    <>
      <Card
        title={t.title}
        actions={
          <Button kind="danger" onClick={() => setAsking(true)}>
            {t.resume}
          </Button>
        }
      >
        <p>{t.text}</p>
      </Card>
      {isAsking ? (
        <ConfirmDialog
          title={t.askTitle}
          text={t.askText}
          action={t.resume}
          work={resume}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
