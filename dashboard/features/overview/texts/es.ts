// The overview in Spanish.
import type { SameTexts } from '../../../ui/language.tsx'
import type { overview as english } from './en.ts'

export const overview: SameTexts<typeof english> = {
  title: 'Resumen',
  lead: 'Lo que pasó en sus instancias. Las cifras se actualizan en pocos segundos.',
  range: 'Período',
  ranges: { day: 'Día', week: 'Semana', month: 'Mes' },
  instance: 'Instancia',
  now: 'ahora',
  time: 'Hora',
  asTable: (title: string) => `${title} en tabla`,
  kinds: {
    sent: 'Enviados',
    received: 'Recibidos',
    failed: 'Fallidos',
    canceled: 'Cancelados',
    delivered: 'Entregados',
    retried: 'Repetidos',
    dead: 'Abandonados',
  },
  deliveryTime: 'Tiempo de entrega',
  messages: 'Mensajes',
  messagesChart: (sent: string, received: string, failed: string) =>
    `Mensajes a lo largo del tiempo: ${sent} enviados, ${received} recibidos, ${failed} fallidos`,
  deliveries: 'Entregas de eventos',
  deliveriesChart: (delivered: string, retried: string, dead: string) =>
    `Entregas a lo largo del tiempo: ${delivered} entregados, ${retried} intentos repetidos, ${dead} abandonados`,
  times: 'Tiempos de entrega',
  timesChart: (median: string, p95: string) =>
    `Tiempo de un evento hasta su entrega: la mitad en hasta ${median}, 95 de 100 en hasta ${p95}`,
  median: 'La mitad en hasta',
  p95: '95 de 100 en hasta',
  sessions: 'Sesiones',
  sessionsChart: (open: string, all: string) =>
    `Instancias conectadas a lo largo del tiempo, por último: ${open} de ${all}`,
  sessionKinds: { open: 'Conectadas', all: 'Todas las instancias' },
  failures: 'Mensajes fallidos por motivo',
  noFailures: 'Ningún mensaje falló.',
  deliveryFailures: 'Entregas fallidas por respuesta',
  noDeliveryFailures: 'Ninguna entrega falló.',
  status: (status: string) => `Estado ${status}`,
  noAnswer: 'Sin respuesta',
  disconnections: 'Desconexiones por motivo',
  noDisconnections: 'Ninguna sesión se desconectó.',
  withoutReason: 'sin motivo',
  webhooks: 'Webhooks y destinos',
  noWebhooks: 'Todavía no hay webhooks ni destinos.',
  averageTime: 'Respuesta media',
}
