import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { imageType } from './rules.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

describe('imageType', () => {
  const cases: [name: string, start: string, type: string | undefined][] = [
    ['JPEG', '\xff\xd8\xff\xe0', 'image/jpeg'],
    ['PNG', '\x89PNG\r\n\x1a\n', 'image/png'],
    ['WebP', 'RIFF\x24\x00\x00\x00WEBPVP8 ', 'image/webp'],
    ['a RIFF file that is not WebP', 'RIFF\x24\x00\x00\x00WAVEfmt ', undefined],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
    ['GIF', 'GIF89a', undefined],
    ['HTML', '<!doctype html>', undefined],
    ['a truncated PNG signature', '\x89PNG', undefined],
    ['no bytes', '', undefined],
  ]
  for (const [name, start, type] of cases) {
    test(`${name}: ${type ?? 'not accepted'}`, () => assert.equal(imageType(bytes(start)), type))
  }
})
