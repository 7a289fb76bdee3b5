// POST /send/list
import { contract } from '../support/gateway.ts'
import { refuses, sendRules, stores } from './send-rules.ts'

const row = (rowId: string) => ({ title: `Row ${rowId}`, description: 'Hot', rowId })
const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => row(`r${from + index}`))
const valid = {
  text: 'What would you like?',
  buttonText: 'Open',
  sections: [{ title: 'Drinks', rows: rows(0, 1) }],
}
const withSections = (sections: unknown) => ({ interactive: { ...valid, sections } })

contract('POST /send/list', (gateway) => {
  const fixture = sendRules(gateway, { id: 'sendList', type: 'list', drawsDelay: false, to: 'number' })

  const whole = {
    type: 'list',
    title: 'Menu',
    text: 'What would\nyou like?',
    buttonText: 'Open ☕',
    sections: [
      { title: 'Drinks', rows: rows(0, 4) },
      { title: 'Food', rows: rows(4, 6) },
    ],
    footerText: 'Open until 18:00',
  }
  const tenSections = Array.from({ length: 10 }, (_, index) => ({ title: `S${index}`, rows: rows(index, 1) }))
  stores(fixture, 'sendList', 'stores every field, up to ten sections and ten rows in total', [
    [{ interactive: whole }, { interactive: whole }],
    [withSections(tenSections), { interactive: { ...valid, sections: tenSections } }],
    [
      withSections([{ title: 'All', rows: rows(0, 10) }]),
      { interactive: { ...valid, sections: [{ title: 'All', rows: rows(0, 10) }] } },
    ],
    [
      withSections([{ rows: [{ title: 'Only', rowId: 'only' }] }]),
      { interactive: { ...valid, sections: [{ rows: [{ title: 'Only', rowId: 'only' }] }] } },
    ],
  ])

  refuses(fixture, 'sendList', 'there is no section, more than ten rows, or two rows with the same id', [
    [withSections([]), 'interactive.sections'],
    [withSections(undefined), 'interactive.sections'],
    [
      withSections(Array.from({ length: 11 }, (_, index) => ({ title: 'S', rows: rows(index, 1) }))),
      'interactive.sections',
    ],
    [
      withSections([
        { title: 'A', rows: rows(0, 6) },
        { title: 'B', rows: rows(6, 5) },
      ]),
      'interactive.sections',
    ],
    [withSections([{ title: 'A', rows: rows(0, 11) }]), 'interactive.sections.0.rows'],
    [withSections([{ title: 'A', rows: [] }]), 'interactive.sections.0.rows'],
    [
      withSections([
        { title: 'A', rows: rows(0, 1) },
        { title: 'B', rows: rows(0, 1) },
      ]),
      'interactive.sections',
    ],
  ])

  refuses(fixture, 'sendList', 'a field is missing, empty, too long or unknown', [
    [{ interactive: { ...valid, text: undefined } }, 'interactive.text'],
    [{ interactive: { ...valid, text: 'x'.repeat(1025) } }, 'interactive.text'],
    [{ interactive: { ...valid, buttonText: '' } }, 'interactive.buttonText'],
    [{ interactive: { ...valid, buttonText: undefined } }, 'interactive.buttonText'],
    [{ interactive: { ...valid, type: 'button' } }, 'interactive.type'],
    [{ interactive: { ...valid, footer: 'x' } }, 'interactive.footer'],
    [{ interactive: { ...valid, title: '' } }, 'interactive.title'],
    [{ interactive: { ...valid, footerText: false } }, 'interactive.footerText'],
    [withSections([{ title: 'A', rows: [{ title: 'No id' }] }]), 'interactive.sections.0.rows.0.rowId'],
    [withSections([{ title: 'A', rows: [{ rowId: 'no-title' }] }]), 'interactive.sections.0.rows.0.title'],
    [
      withSections([{ title: 'A', rows: [{ ...row('a'), price: 3 }] }]),
      'interactive.sections.0.rows.0.price',
    ],
    [{ type: 'list' }, 'type'],
  ])
})
