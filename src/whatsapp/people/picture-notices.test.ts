import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPictureNotices } from './picture-notices.ts'

const GROUP = '120363000000000001@g.us'
const [ME, ANA] = ['5511900000009@s.whatsapp.net', '5511900000001@s.whatsapp.net']

function pictures() {
  const time = { now: 1000 }
  const notices = createPictureNotices(
    (jid) => jid === ME,
    () => time.now,
  )
  const read = (author: string, tag = 'set', from = GROUP) =>
    notices.read({
      tag: 'notification',
      attrs: { type: 'picture', from },
      content: [{ tag, attrs: { author } }],
    })
  return { notices, read, time }
}

test('a notice tells whose picture was set or removed, and for a group by whom', () => {
  const { notices, read } = pictures()
  const author = read(ANA)?.author
  assert.equal(author?.jid, ANA)
  assert.deepEqual(read(ANA), { kind: 'picture', jid: GROUP, change: 'set', author })
  assert.deepEqual(read(ANA, 'delete'), { kind: 'picture', jid: GROUP, change: 'removed', author })
  assert.deepEqual(read(ANA, 'set', ANA), { kind: 'picture', jid: ANA, change: 'set', author: null })
  assert.deepEqual(read(ME, 'delete', ME), { kind: 'picture', jid: ME, change: 'removed', author: null })
  const others = [
    { tag: 'notification', attrs: { type: 'w:gp2', from: GROUP } },
    { tag: 'receipt', attrs: { type: 'picture', from: GROUP } },
    { tag: 'notification', attrs: { type: 'picture' } },
  ]
  for (const stanza of others) assert.equal(notices.read(stanza), undefined)
})

test('the notice of a change by this account is skipped once, and not after it was refused or long ago', () => {
  const { notices, read, time } = pictures()
  notices.noteOwn(GROUP)
  assert.equal(read(ANA)?.author?.jid, ANA)
  assert.equal(read(ME), undefined)
  assert.equal(read(ME)?.author?.jid, ME)
  notices.noteOwn(GROUP)
  notices.forgetOwn(GROUP)
  assert.equal(read(ME)?.author?.jid, ME)
  notices.noteOwn(GROUP)
  time.now += 60_000
  assert.equal(read(ME)?.author?.jid, ME)
})
