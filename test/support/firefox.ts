// A Firefox of the machine, driven over its own automation protocol. By hand, because the usual driver is a separate program that npm
// does not contain, and the other libraries cannot give this browser a passkey.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './sandbox-world.ts'

const PROGRAM = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
export const skip = PROGRAM === undefined && 'Firefox is not installed'

const SETTINGS = {
  'marionette.port': 0,
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
}

type Send = (command: string, parameters?: object) => Promise<unknown>

export interface Firefox {
  send: Send
  open(url: string): Promise<void>
  /** Runs the lines of a function in the page. */
  evaluate<T>(lines: string, ...values: unknown[]): Promise<T>
  /** A new tab, which gets the commands from now on; its handle. */
  newTab(): Promise<string>
  pressEnter(): Promise<unknown>
  stop(): Promise<void>
}

/** `https` is the port of this machine to which every encrypted connection goes, with a certificate of `authority`. */
export async function startFirefox({
  https,
  authority,
}: {
  https: number
  authority: string
}): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'switchboard-firefox-'))
  const settings = {
    ...SETTINGS,
    'network.dns.forceResolve': '127.0.0.1',
    'network.socket.forcePort': `443=${https}`,
  }
  const lines = Object.entries(settings).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const child = spawn(
    PROGRAM as string,
    ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile],
    { stdio: 'ignore', env: { ...process.env, HOME: profile } },
  )
  const socket = connect(await portOf(profile), '127.0.0.1')
  const send = await talk(socket)
  await send('WebDriver:NewSession')
  await trust(send, authority)
  return { ...commands(send), stop: () => stop(child, socket, profile) }
}

/** The browser writes the port that it chose into its profile. */
async function portOf(profile: string): Promise<number> {
  const read = () => readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '')
  return Number(await until(read, (text) => text.trim() !== '', 'the port of Firefox'))
}

/** Each message is its length in bytes, a colon, and JSON: `[type, id, error, value]` for an answer. */
async function talk(socket: Socket): Promise<Send> {
  const called = new Map<number, PromiseWithResolvers<unknown>>()
  const greeting = Promise.withResolvers<void>()
  let rest = Buffer.alloc(0)
  socket.on('error', (error) => {
    greeting.reject(error)
    for (const { reject } of called.values()) reject(error)
  })
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const start = rest.indexOf(':') + 1
      const end = start + Number(rest.subarray(0, Math.max(0, start - 1)))
      if (start === 0 || rest.length < end) return
      const message: unknown = JSON.parse(rest.subarray(start, end).toString())
      rest = rest.subarray(end)
      if (!Array.isArray(message)) greeting.resolve()
      else settle(message)
    }
  })
  const settle = ([, id, error, value]: unknown[]): void => {
    const { resolve, reject } = called.get(id as number) ?? {}
    called.delete(id as number)
    if (error) reject?.(new Error(JSON.stringify(error)))
    else resolve?.(value)
  }
  await greeting.promise
  let last = 0
  return (command, parameters = {}) => {
    const answer = Promise.withResolvers<unknown>()
    const text = JSON.stringify([0, (last += 1), command, parameters])
    called.set(last, answer)
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    return answer.promise
  }
}

async function trust(send: Send, authority: string): Promise<void> {
  const certificate = readFileSync(authority, 'utf8').replaceAll(/-----.*?-----|\n/g, '')
  const script =
    "Cc['@mozilla.org/security/x509certdb;1'].getService(Ci.nsIX509CertDB).addCertFromBase64(arguments[0], 'C,,')"
  await send('Marionette:SetContext', { value: 'chrome' })
  await send('WebDriver:ExecuteScript', { sandbox: 'system', script, args: [certificate] })
  await send('Marionette:SetContext', { value: 'content' })
}

function commands(send: Send): Omit<Firefox, 'stop'> {
  const ENTER = '\uE007'
  return {
    send,
    open: async (url) => void (await send('WebDriver:Navigate', { url })),
    async evaluate<T>(script: string, ...args: unknown[]) {
      return ((await send('WebDriver:ExecuteScript', { script, args })) as { value: T }).value
    },
    async newTab() {
      const { handle } = (await send('WebDriver:NewWindow', { type: 'tab' })) as { handle: string }
      await send('WebDriver:SwitchToWindow', { handle })
      return handle
    },
    pressEnter: () =>
      send('WebDriver:PerformActions', {
        actions: [
          {
            type: 'key',
            id: 'keyboard',
            actions: [
              { type: 'keyDown', value: ENTER },
              { type: 'keyUp', value: ENTER },
            ],
          },
        ],
      }),
  }
}

async function stop(child: ChildProcess, socket: Socket, profile: string): Promise<void> {
  const ended = once(child, 'exit')
  socket.destroy()
  child.kill('SIGKILL')
  await ended
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
