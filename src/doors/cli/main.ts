// The process of the command line: its arguments, environment, streams and exit code.
import { watchParent } from '../../kernel/process/parent-watch.ts'
import { runCommandLine } from './run.ts'

// The reader of the output may close it early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
// A command such as `webhooks listen` runs until a signal ends it, and the shell of `npm run cli` does not pass signals on. The server has a
// watch that drains.
if (process.argv[2] !== 'serve')
  watchParent(process.env, process.ppid, () => process.kill(process.pid, 'SIGTERM'))
const streams = { input: process.stdin, output: process.stdout, notes: process.stderr }
process.exitCode = await runCommandLine(process.argv.slice(2), process.env, streams)
