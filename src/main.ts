// The server's process, as `npm start` runs it.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// What was compiled at one start is at hand at the next. Kept where only the owner of the program writes: code that others
// could put there would be run.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/switchboard'))
const [{ SettingsError }, { serve }] = await Promise.all([import('./config.ts'), import('./serve.ts')])

serve(process.env).catch((error: unknown) => {
  process.stderr.write(`switchboard: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof SettingsError ? SettingsError.exitCode : 1)
})
