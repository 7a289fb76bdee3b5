// The image, as an operator runs it: built, started read-only and without capabilities, used, stopped. `npm run test:image` runs it
// apart from the other tests, because it needs a container engine.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sendToPhone } from '../support/first-calls.ts'
import { type Engine, findEngine, prepareBase } from './engine.ts'

const IMAGE = 'switchboard-gateway:test'
const PORT = '18432'
/** The variant that prepares videos and voice messages. */
const HAS_FFMPEG = process.env.FFMPEG === 'true'
const MOST_MB = HAS_FFMPEG ? 900 : 350

const say = (text: string): void => void process.stdout.write(`${text}\n`)

async function testImage({ docker }: Engine, base: string): Promise<void> {
  const variant = ['--build-arg', `FFMPEG=${HAS_FFMPEG}`]
  docker('build', '--network', 'host', '--build-arg', `NODE_IMAGE=${base}`, ...variant, '--tag', IMAGE, '.')
  const megabytes = Number(docker('image', 'inspect', '--format', '{{.Size}}', IMAGE)) / 1e6
  say(`built: ${megabytes.toFixed(0)} MB`)
  assert.ok(megabytes <= MOST_MB, `the image has ${megabytes} MB`)
  const hardened = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
  ]
  const settings = ['HOST=127.0.0.1', `PORT=${PORT}`, 'RATE_LIMIT=0'].flatMap((each) => ['--env', each])
  const container = docker('run', '--detach', '--network', 'host', ...hardened, ...settings, IMAGE)
  try {
    await healthy({ docker }, container)
    assert.equal(docker('exec', container, 'id', '-u'), '1000')
    // The key that the first start creates, read as the README does.
    const key = docker('exec', container, 'cat', '/data/first-api-key')
    await sendToPhone(`http://127.0.0.1:${PORT}`, key)
    say('a message reached a phone')
    assert.match(docker('exec', container, 'switchboard', 'doctor'), /^ok {7}server: accepts the API key$/m)
    if (HAS_FFMPEG) {
      assert.match(docker('exec', container, 'switchboard', 'doctor'), /^ok {7}ffmpeg: version /m)
      say('ffmpeg is found')
    }
    docker('stop', '--time', '30', container)
    assert.equal(docker('inspect', '--format', '{{.State.ExitCode}}', container), '0')
    const log = docker('logs', container)
    assert.match(log, /"signal":"SIGTERM","msg":"draining"/)
    say('stopped with exit code 0')
  } catch (error) {
    say(docker('logs', '--tail', '50', container))
    throw error
  } finally {
    docker('rm', '--force', '--volumes', container)
  }
}

/** Waits for the health check of the image. */
async function healthy({ docker }: Pick<Engine, 'docker'>, container: string): Promise<void> {
  for (;;) {
    const state = docker('inspect', '--format', '{{.State.Status}} {{.State.Health.Status}}', container)
    if (state === 'running healthy') return
    assert.match(state, /^(created|running) starting$/)
    await setTimeout(500)
  }
}

const engine = await findEngine()
if (typeof engine === 'string') say(`skipped: ${engine}`)
else {
  try {
    const base = prepareBase(engine)
    if (base === undefined) say('skipped: the base image cannot be pulled')
    else await testImage(engine, base)
  } catch (error) {
    // Shown before the engine is stopped, which can fail too.
    console.error(error)
    process.exitCode = 1
  } finally {
    await engine.stop()
  }
}
