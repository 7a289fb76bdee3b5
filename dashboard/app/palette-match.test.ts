import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matching } from './palette-match.ts'

const candidates = [
  { title: 'Ana Souza', detail: '+5511912345678 Support' },
  { title: 'Joana Lima', detail: '+5511987654321 Sales' },
  { title: 'Souza & Filhos', detail: '+5521900000000 Support' },
  { title: 'Configurações', detail: '' },
]
const found = (typed: string) => matching(typed, candidates).map(({ title }) => title)

describe('the palette', () => {
  test('a title that begins with the word comes before a word of it, and that before a part of a word', () => {
    assert.deepEqual(found('souza'), ['Souza & Filhos', 'Ana Souza'])
    assert.deepEqual(found('ana'), ['Ana Souza', 'Joana Lima'])
  })

  test('every word has to fit, in any order, in the title or beside it', () => {
    assert.deepEqual(found('souza ana'), ['Ana Souza'])
    assert.deepEqual(found('support souza'), ['Souza & Filhos', 'Ana Souza'])
    assert.deepEqual(found('98765'), ['Joana Lima'])
    assert.deepEqual(found('ana nothing'), [])
  })

  test('case and accents do not matter', () => {
    assert.deepEqual(found('CONFIGURACOES'), ['Configurações'])
    assert.deepEqual(found('configurações'), ['Configurações'])
  })

  test('an empty field keeps the order, and no more than twelve are shown', () => {
    assert.deepEqual(found('  ').length, 4)
    const many = Array.from({ length: 40 }, (_, index) => ({ title: `Chat ${index}`, detail: '' }))
    assert.deepEqual(
      matching('', many).map(({ title }) => title),
      many.slice(0, 12).map(({ title }) => title),
    )
  })
})
