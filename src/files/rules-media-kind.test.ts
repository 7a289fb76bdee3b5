import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type FileHints, type MediaMessageKind, mediaKind } from './rules.ts'

describe('the kind of a file without a type', () => {
  const cases: [hints: FileHints, expected: MediaMessageKind | undefined][] = [
    [{ uploadedType: 'image/png', mimetype: 'application/pdf' }, 'image'],
    [{ uploadedType: 'application/octet-stream', mimetype: 'Video/MP4; codecs=avc1' }, 'video'],
    [{ mimetype: 'audio/ogg; codecs=opus' }, 'audio'],
    [{ mimetype: 'image/svg+xml' }, 'document'],
    [{ mimetype: 'text/plain', mediaUrl: 'https://example.com/a.png' }, 'document'],
    [{ fileName: 'Photo.JPG', mediaUrl: 'https://example.com/a.pdf' }, 'image'],
    [{ mediaUrl: 'https://example.com/a/voice.mp3?b=c.png' }, 'audio'],
    [{ mediaUrl: 'https://example.com/bill.pdf#page=2' }, 'document'],
    [{ mediaUrl: 'https://example.com/files/17' }, undefined],
    [{ mediaUrl: 'https://example.com/a.unknown', fileName: 'png' }, undefined],
    [{ mediaUrl: 'not a url' }, undefined],
    [{}, undefined],
  ]
  for (const [hints, expected] of cases)
    test(`${JSON.stringify(hints)} is ${expected}`, () => assert.equal(mediaKind(hints), expected))
})
