// The process of the server, as `npm start` runs it.
import { enableCompileCache } from 'node:module'
import { programPath } from './kernel/process/program-files.ts'

// Nothing has to be finished while the program loads. serve.ts replaces these handlers by the drain.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0))

// Caches compiled code for the next start, in a directory that only the owner of the program can write: its content is executed.
enableCompileCache(programPath('node_modules', '.cache', 'switchboard'))
const { endWithError, serve } = await import('./serve.ts')

serve(process.env).catch(endWithError)
