// The live tail of events.
import type { SameTexts } from '../../../ui/language.tsx'
import type { events as en } from './en.ts'

export const events: SameTexts<typeof en> = {
  title: 'Eventos',
  lead: 'Tudo o que acontece nas suas instâncias, ao vivo. Os webhooks recebem os mesmos eventos.',
  list: 'Eventos, mais recentes primeiro',
  instance: 'Instância',
  names: 'Eventos',
  pause: 'Pausar',
  resume: 'Continuar',
  resumeWith: (count) => `Continuar, ${count} novos`,
  paused: 'Em pausa',
  following: 'Ao vivo',
  older: 'Carregar anteriores',
  noOlder: 'Não há eventos anteriores.',
  searchedTo: (time) => `Busca até ${time}.`,
  count: (count) => `${count} na lista`,
  empty: 'Nenhum evento ainda',
  emptyText: 'Conecte uma instância ou envie uma mensagem. Os eventos aparecem aqui.',
  toConversations: 'Enviar uma mensagem',
  toInstances: 'Ir para as instâncias',
  nothingFits: 'Nenhum evento corresponde a estes filtros',
  nothingFitsText: 'Altere os filtros ou carregue eventos anteriores.',
  clearFilters: 'Limpar os filtros',
  choose: 'Selecione um evento para ver o conteúdo.',
  sequence: (sequence) => `Sequência ${sequence}`,
  body: 'Evento enviado aos webhooks',
  close: 'Fechar',
}
