// Error messages in the reader's language.
import { useCallback } from 'react'
import { ApiError } from '../../gateway/api.ts'
import { useTexts } from '../language.tsx'
import { refusalTexts } from './texts/refusal-texts.ts'

export function useErrorText(): (error: unknown) => string {
  const t = useTexts(refusalTexts)
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return t.unknown
      // A newer gateway may return reasons that this page does not know.
      const sentence = (t.reasons as Record<string, string>)[error.reason] ?? error.message
      const details = error.details.map(({ path, message }) => `${path}: ${message}`)
      return details.length === 0 ? sentence : `${sentence} (${details.join('; ')})`
    },
    [t],
  )
}

/** The message below the main field of a form: about that field, else about the whole request. */
export function useFieldFault(): (error: Error | null, path: string) => string | undefined {
  const errorText = useErrorText()
  return (error, path) => (error ? (faultOf(error, path) ?? errorText(error)) : undefined)
}

/** The message about one field of the body. */
export const faultOf = (error: unknown, path: string): string | undefined =>
  error instanceof ApiError ? error.details.find((detail) => detail.path === path)?.message : undefined
