// A finding of the doctor: the result of one check, with advice if something is wrong.

/** Only `wrong` makes the doctor fail. */
type FindingStatus = 'ok' | 'warning' | 'wrong'

export interface Finding {
  check: string
  status: FindingStatus
  found: string
  /** Advice. */
  todo?: string
}

export const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found })
export const warning = (check: string, found: string, todo: string): Finding => ({
  check,
  status: 'warning',
  found,
  todo,
})
export const wrong = (check: string, found: string, todo: string): Finding => ({
  check,
  status: 'wrong',
  found,
  todo,
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
