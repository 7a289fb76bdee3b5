import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveSessions } from '../network/network.ts'
import { gateSessions } from './session-gate.ts'

const PICTURE = { bytes: new Uint8Array(1), contentType: 'image/png' }

function gated(picture: () => Promise<typeof PICTURE>, isHeld: () => boolean) {
  const stopping = new AbortController()
  const loggedOut: number[] = []
  const sessions = {
    profilePicture: picture,
    logOut: async (id: number) => void loggedOut.push(id),
  } as unknown as LiveSessions
  return { stopping, loggedOut, sessions: gateSessions(sessions, { isHeld, stopping: stopping.signal }) }
}

test('while the gateway is held, only a log-out reaches the sessions', async () => {
  let held = true
  let calls = 0
  const picture = async () => {
    calls += 1
    return PICTURE
  }
  const { sessions, loggedOut } = gated(picture, () => held)
  await assert.rejects(sessions.profilePicture(1, 'a'), { kind: 'held' })
  assert.equal(calls, 0)
  await sessions.logOut(1)
  assert.deepEqual(loggedOut, [1])
  held = false
  assert.equal(await sessions.profilePicture(1, 'a'), PICTURE)
})

test('a stop ends every waiting call', async () => {
  const { sessions, stopping } = gated(
    () => new Promise(() => undefined),
    () => false,
  )
  const waiting = sessions.profilePicture(1, 'a')
  stopping.abort()
  await assert.rejects(waiting, { kind: 'unavailable' })
  await assert.rejects(sessions.profilePicture(1, 'a'), { kind: 'unavailable' })
})
