// Tests that the endpoints of buttons share: the file above their text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fixture } from './fixture.ts'
import { refuses, stores } from './send-rules.ts'
import { freshInstance, storedMessages } from './sender.ts'
import { uploadRules } from './upload-rules.ts'

/** `valid` is an `interactive` without a header. */
export function headerRules(
  fixture: () => Promise<Fixture>,
  id: 'sendButton' | 'sendCta',
  valid: Record<string, unknown>,
): void {
  const withHeader = (header: unknown) => ({ interactive: { ...valid, header } })
  const link = (type: string, more: object = {}) => ({
    type,
    mediaUrl: 'https://example.com/a.bin',
    ...more,
  })
  const kept = (header: object) => [withHeader(header), withHeader(header)] as const

  uploadRules(fixture, id, (file) => withHeader({ type: 'image', ...file }), 'interactive.header.')

  stores(fixture, id, 'stores an image, a video or a document above the text', [
    kept(link('image')),
    kept(link('video')),
    kept(link('document', { fileName: 'Menu.pdf' })),
  ])

  refuses(fixture, id, 'the header is not a file, or is of another kind', [
    [withHeader({ type: 'image' }), 'interactive.header.mediaUrl'],
    [withHeader(link('audio')), 'interactive.header.type'],
    [withHeader({ mediaUrl: 'https://example.com/a.png' }), 'interactive.header.type'],
    [withHeader(link('image', { caption: 'x' })), 'interactive.header.caption'],
    [withHeader(link('document', { fileName: '' })), 'interactive.header.fileName'],
    [withHeader('image'), 'interactive.header'],
  ])

  test('400 url_not_allowed when the file above the text is at no public http or https URL', async () => {
    const running = await fixture()
    const { instance, send } = await freshInstance(running, id)
    for (const mediaUrl of ['file:///etc/passwd', 'http://127.0.0.1/a.png', 'https://u:p@example.com/a']) {
      const answer = await send(withHeader({ type: 'image', mediaUrl }))
      assert.deepEqual([answer.status, answer.json.reason], [400, 'url_not_allowed'], mediaUrl)
      assert.equal(answer.json.details[0].path, 'interactive.header.mediaUrl')
    }
    assert.equal((await storedMessages(running, instance.id)).length, 0)
  })
}
