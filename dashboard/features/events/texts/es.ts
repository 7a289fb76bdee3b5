// The live tail of events.
import type { SameTexts } from '../../../ui/language.tsx'
import type { events as en } from './en.ts'

export const events: SameTexts<typeof en> = {
  title: 'Eventos',
  lead: 'Todo lo que ocurre en sus instancias, en vivo. Los webhooks reciben los mismos eventos.',
  list: 'Eventos, los más recientes primero',
  instance: 'Instancia',
  names: 'Eventos',
  pause: 'Pausar',
  resume: 'Reanudar',
  resumeWith: (count) => `Reanudar, ${count} nuevos`,
  paused: 'En pausa',
  following: 'En vivo',
  older: 'Cargar anteriores',
  noOlder: 'No hay eventos anteriores.',
  searchedTo: (time) => `Búsqueda hasta ${time}.`,
  count: (count) => `${count} en la lista`,
  empty: 'Todavía no hay eventos',
  emptyText: 'Conecte una instancia o envíe un mensaje. Los eventos aparecen aquí.',
  toConversations: 'Enviar un mensaje',
  toInstances: 'Ir a las instancias',
  nothingFits: 'Ningún evento coincide con estos filtros',
  nothingFitsText: 'Cambie los filtros o cargue eventos anteriores.',
  clearFilters: 'Quitar los filtros',
  choose: 'Seleccione un evento para ver su contenido.',
  sequence: (sequence) => `Secuencia ${sequence}`,
  body: 'Evento enviado a los webhooks',
  close: 'Cerrar',
}
