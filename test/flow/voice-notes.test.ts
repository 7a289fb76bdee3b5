// An MP3 that is sent as audio is a voice message on the phone, where the machine has ffmpeg.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findFfmpeg } from '../../src/files/media/ffmpeg.ts'
import { temporaryDirectory } from '../support/engines.ts'
import { type PairedInstance, type SandboxWorld, startSandboxWorld } from '../support/sandbox-world.ts'

const [OWNER, BOB] = ['5511983330001', '5511983330002']
const found = await findFfmpeg()

describe('voice notes from MP3', { skip: !found && 'there is no ffmpeg on the PATH' }, () => {
  let sandbox: SandboxWorld
  let line: PairedInstance
  let mediaId = ''
  before(async () => {
    sandbox = await startSandboxWorld()
    await sandbox.world.phone(BOB, 'Bob')
    line = await sandbox.pair(OWNER)
    const path = join(await temporaryDirectory(), 'tone.mp3')
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2', '-c:a', 'libmp3lame']
    execFileSync(found?.ffmpeg ?? '', ['-loglevel', 'error', ...tone, path])
    const headers = { 'content-type': 'audio/mpeg' }
    mediaId = (await sandbox.api('uploadMedia', { body: await readFile(path), headers })).mediaId
  })
  after(() => sandbox.stop())

  const send = async (more: object = {}) => {
    const body = { instanceName: line.name, number: BOB, mediaId, delay: 0, ...more }
    const { messageId } = await sandbox.api('sendMedia', { body })
    return (await sandbox.world.shown(BOB, messageId)).media
  }

  test('the phone plays it as a voice message, with duration and waveform', async () => {
    const { mimetype, voiceNote, seconds, waveformBars, type } = (await send({ type: 'audio' })) ?? {}
    assert.deepEqual(
      [type, mimetype, voiceNote, seconds, waveformBars],
      ['audio', 'audio/ogg; codecs=opus', true, 2, 64],
    )
  })

  test('with a media type in the request it is sent as it is', async () => {
    const media = await send({ type: 'audio', mimetype: 'audio/mpeg' })
    assert.deepEqual([media?.mimetype, media?.voiceNote], ['audio/mpeg', undefined])
  })
})
