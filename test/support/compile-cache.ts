// One compile cache for the test processes and every process that they start: it halves the time that a process needs to load the
// program.
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const COMPILE_CACHE: string =
  process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'switchboard-compile-cache')
