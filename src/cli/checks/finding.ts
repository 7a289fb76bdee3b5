// What the doctor finds: one line for each thing it looked at, with advice where something is not as it should be.

/** Only `wrong` makes the doctor fail: the others are for people to weigh. */
type FindingStatus = 'ok' | 'warning' | 'wrong'

export interface Finding {
  check: string
  status: FindingStatus
  found: string
  /** What to do about it. */
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
