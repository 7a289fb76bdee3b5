// The overview in Portuguese.
import type { SameTexts } from '../../../ui/language.tsx'
import type { overview as english } from './en.ts'

export const overview: SameTexts<typeof english> = {
  title: 'Visão geral',
  lead: 'O que aconteceu nas suas instâncias. Os números são atualizados em poucos segundos.',
  range: 'Período',
  ranges: { day: 'Dia', week: 'Semana', month: 'Mês' },
  instance: 'Instância',
  now: 'agora',
  time: 'Horário',
  asTable: (title: string) => `${title} em tabela`,
  kinds: {
    sent: 'Enviadas',
    received: 'Recebidas',
    failed: 'Com falha',
    canceled: 'Canceladas',
    delivered: 'Entregues',
    retried: 'Repetidas',
    dead: 'Abandonadas',
  },
  deliveryTime: 'Tempo de entrega',
  messages: 'Mensagens',
  messagesChart: (sent: string, received: string, failed: string) =>
    `Mensagens ao longo do tempo: ${sent} enviadas, ${received} recebidas, ${failed} com falha`,
  deliveries: 'Entregas de eventos',
  deliveriesChart: (delivered: string, retried: string, dead: string) =>
    `Entregas ao longo do tempo: ${delivered} entregues, ${retried} tentativas repetidas, ${dead} abandonadas`,
  times: 'Tempos de entrega',
  timesChart: (median: string, p95: string) =>
    `Tempo de um evento até a entrega: metade em até ${median}, 95 de 100 em até ${p95}`,
  median: 'Metade em até',
  p95: '95 de 100 em até',
  sessions: 'Sessões',
  sessionsChart: (open: string, all: string) =>
    `Instâncias conectadas ao longo do tempo, por último: ${open} de ${all}`,
  sessionKinds: { open: 'Conectadas', all: 'Todas as instâncias' },
  failures: 'Mensagens com falha por motivo',
  noFailures: 'Nenhuma mensagem falhou.',
  deliveryFailures: 'Entregas com falha por resposta',
  noDeliveryFailures: 'Nenhuma entrega falhou.',
  status: (status: string) => `Status ${status}`,
  noAnswer: 'Sem resposta',
  disconnections: 'Desconexões por motivo',
  noDisconnections: 'Nenhuma sessão foi desconectada.',
  withoutReason: 'sem motivo',
  webhooks: 'Webhooks e destinos',
  noWebhooks: 'Ainda não há webhooks nem destinos.',
  averageTime: 'Resposta média',
}
