// Detects that the shell of an npm script, or the launcher of the package (bin/launch.js), has ended. npm sends a signal to its shell,
// and some shells end without forwarding it (decision 0077).

const POLL_MS = 500

/** The scripts that run a program in the foreground. A script that starts it in the background has another name. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(['start', 'cli'])

/** Watches only under npm and a launcher: otherwise a program may be meant to outlive its shell (`nohup`, `setsid`). */
export function watchParent(environment: NodeJS.ProcessEnv, parent: number, onGone: () => void): void {
  if (!isScript(environment) && environment['SWITCHBOARD_WATCH_PARENT'] !== 'true') return
  const timer = setInterval(() => {
    if (isAlive(parent)) return
    clearInterval(timer)
    onGone()
  }, POLL_MS).unref()
}

const isScript = (environment: NodeJS.ProcessEnv): boolean =>
  environment['npm_package_name'] === 'switchboard-gateway' && SCRIPTS.has(environment['npm_lifecycle_event'])

/** On POSIX systems an orphan gets another parent. On Windows the parent id stays, but no process has it. */
function isAlive(parent: number): boolean {
  if (process.ppid !== parent) return false
  try {
    process.kill(parent, 0)
    return true
  } catch (error) {
    // EPERM: the parent exists but runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
