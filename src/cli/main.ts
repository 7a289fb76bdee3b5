// The process of the command line: its arguments, environment, streams and exit code.
import { runCommandLine } from './run.ts'

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
const streams = { input: process.stdin, output: process.stdout, notes: process.stderr }
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, streams)
