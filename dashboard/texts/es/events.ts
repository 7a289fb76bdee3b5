// The live tail of events.
import type { SameTexts } from '../../language.tsx'
import type { events as en } from '../en/events.ts'

export const events: SameTexts<typeof en> = {
  title: 'Eventos',
  lead: 'Todo lo que ocurre con sus instancias, al momento. Los webhooks reciben lo mismo, firmado.',
  list: 'Eventos, los más nuevos primero',
  instance: 'Instancia',
  names: 'Eventos',
  pause: 'Pausar',
  resume: 'Seguir',
  resumeWith: (count) => `Seguir, ${count} nuevos`,
  paused: 'En pausa',
  following: 'Siguiendo',
  older: 'Cargar anteriores',
  noOlder: 'El registro empieza aquí.',
  searchedTo: (time) => `Buscado hasta ${time}.`,
  count: (count) => `${count} en la lista`,
  empty: 'Todavía no hay eventos',
  emptyText: 'Conecte una instancia o envíe un mensaje, y aparece aquí.',
  nothingFits: 'Ningún evento pasa estos filtros',
  nothingFitsText: 'Elija otros, o busque más atrás.',
  choose: 'Elija un evento para ver qué trae.',
  sequence: (sequence) => `Secuencia ${sequence}`,
  body: 'Como lo reciben los webhooks',
  close: 'Cerrar',
}
