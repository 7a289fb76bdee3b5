import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dictionary, loadTexts } from './dictionary.ts'

test('texts are imported once, in the requested language only', async () => {
  const imported: string[] = []
  const from = (language: string) => async () => {
    imported.push(language)
    return { title: language }
  }
  const texts = dictionary<{ title: string }>({ en: from('en'), pt: from('pt'), es: from('es') })
  await loadTexts('pt')
  await loadTexts('pt')
  const loaded = texts.latestLoad('pt')
  assert.deepEqual(await loaded, { title: 'pt' })
  const { status, value } = loaded as unknown as Record<string, unknown>
  assert.deepEqual([status, value], ['fulfilled', { title: 'pt' }], 'React reads it at once')
  assert.deepEqual(imported, ['pt'])
})

test('a failed load is reported once, and tried again only by the next load', async () => {
  let tries = 0
  const failsOnce = async () => {
    tries += 1
    if (tries === 1) throw new Error('offline')
    return { title: 'Title' }
  }
  const texts = dictionary<{ title: string }>({ en: failsOnce, pt: failsOnce, es: failsOnce })
  await assert.rejects(loadTexts('en'), /offline/)
  await assert.rejects(texts.latestLoad('en'), /offline/)
  assert.equal(tries, 1)
  assert.deepEqual(await texts.load('en'), { title: 'Title' })
  assert.equal(tries, 2)
})
