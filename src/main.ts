// The server's process, as `npm start` runs it.
import { SettingsError } from './config.ts'
import { serve } from './serve.ts'

serve(process.env).catch((error: unknown) => {
  process.stderr.write(`switchboard: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof SettingsError ? SettingsError.exitCode : 1)
})
