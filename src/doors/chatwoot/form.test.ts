import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formBody } from './form.ts'

async function* chunks(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part)
}

test('a form has its fields, its file and the announced length, whatever the file is called', async () => {
  for (const fileName of ['photo.png', 'a"b\r\nx: y.png', 'ação.pdf']) {
    const file = {
      fileName,
      contentType: 'audio/ogg; codecs=opus',
      sizeBytes: 9,
      chunks: chunks('four', '-five'),
    }
    const form = formBody({ content: 'hi', content_attributes: { a: 1 }, source_id: undefined }, file)
    const parts: Uint8Array[] = []
    for await (const chunk of form.chunks) parts.push(chunk)
    const body = Buffer.concat(parts)
    assert.equal(form.headers['content-length'], String(body.length))
    const read = await new Response(body, { headers: form.headers }).formData()
    assert.deepEqual([...read.keys()], ['content', 'content_attributes', 'attachments[]'])
    assert.equal(read.get('content_attributes'), '{"a":1}')
    const got = read.get('attachments[]') as File
    assert.deepEqual([await got.text(), got.type], ['four-five', 'audio/ogg'])
  }
})
