// Why something was refused, in the reader's language; the gateway's own sentence where we have none of ours.
import { useCallback } from 'react'
import { ApiError } from './api.ts'
import { useTexts } from './language.tsx'
import { refusalTexts } from './texts/refusals.ts'

export function useErrorText(): (error: unknown) => string {
  const t = useTexts(refusalTexts)
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return t.unknown
      const known = (t.reasons as Record<string, string>)[error.reason]
      return known ?? error.message
    },
    [t],
  )
}

/** What a refusal says of one field of the body. */
export const faultOf = (error: unknown, path: string): string | undefined =>
  error instanceof ApiError ? error.details.find((detail) => detail.path === path)?.message : undefined
