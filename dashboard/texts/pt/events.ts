// The live tail of events.
import type { SameTexts } from '../../language.tsx'
import type { events as en } from '../en/events.ts'

export const events: SameTexts<typeof en> = {
  title: 'Eventos',
  lead: 'Tudo o que acontece com as suas instâncias, na hora. Os webhooks recebem o mesmo, assinado.',
  list: 'Eventos, os mais novos primeiro',
  instance: 'Instância',
  names: 'Eventos',
  pause: 'Pausar',
  resume: 'Continuar',
  resumeWith: (count) => `Continuar, ${count} novos`,
  paused: 'Em pausa',
  following: 'Acompanhando',
  older: 'Carregar anteriores',
  noOlder: 'O registro começa aqui.',
  searchedTo: (time) => `Procurado até ${time}.`,
  count: (count) => `${count} na lista`,
  empty: 'Nenhum evento ainda',
  emptyText: 'Conecte uma instância ou envie uma mensagem, e ela aparece aqui.',
  nothingFits: 'Nenhum evento passa por estes filtros',
  nothingFitsText: 'Escolha outros, ou procure mais para trás.',
  choose: 'Escolha um evento para ver o que ele traz.',
  sequence: (sequence) => `Sequência ${sequence}`,
  body: 'Como os webhooks o recebem',
  close: 'Fechar',
}
