import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDeclaredType } from './rules.ts'

test('a declared type that fits the bytes is kept, also with parameters', () => {
  for (const [declared, detected] of [
    ['image/png', 'image/png'],
    ['image/jpg', 'image/jpeg'],
    ['IMAGE/JPEG', 'image/jpeg'],
    ['audio/ogg; codecs=opus', 'audio/ogg; codecs=opus'],
    ['audio/ogg', 'video/ogg'],
    ['audio/mp4', 'video/mp4'],
    ['application/vnd.android.package-archive', 'application/zip'],
    ['text/plain; charset=utf-8', 'text/html'],
    ['image/svg+xml', 'image/svg+xml'],
    ['application/pdf', 'application/pdf'],
    ['text/csv', undefined],
    ['audio/amr-wb', undefined],
  ] as const)
    assert.deepEqual(checkDeclaredType(declared, detected), { mimetype: declared }, declared)
})

test('a type that says nothing is replaced by the detected one', () => {
  assert.deepEqual(checkDeclaredType('application/octet-stream', 'image/png'), { mimetype: 'image/png' })
  assert.deepEqual(checkDeclaredType('application/octet-stream', undefined), {
    mimetype: 'application/octet-stream',
  })
})

test('a type that contradicts the bytes is refused, and both are named', () => {
  for (const [declared, detected] of [
    ['image/png', 'image/jpeg'],
    ['image/png', 'text/html'],
    ['image/jpeg', 'image/svg+xml'],
    ['video/mp4', 'image/png'],
    ['application/pdf', 'application/zip'],
    ['application/zip', 'application/pdf'],
    ['text/plain', 'application/x-elf'],
    ['audio/mpeg', 'application/pdf'],
  ] as const) {
    const expected = { refused: `is ${declared}, but the file is ${detected}` }
    assert.deepEqual(checkDeclaredType(declared, detected), expected, declared)
  }
})

test('an image whose bytes show no image is refused', () => {
  assert.deepEqual(checkDeclaredType('image/png', undefined), {
    refused: 'is image/png, but the file is not an image',
  })
})
