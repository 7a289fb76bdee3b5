// Saved contacts of an instance.
import type { SameTexts } from '../../language.tsx'
import type { contacts as en } from '../en/contacts.ts'

export const contacts: SameTexts<typeof en> = {
  title: 'Contactos',
  lead: 'Personas y grupos guardados con un nombre, por instancia.',
  create: 'Nuevo contacto',
  search: 'Buscar',
  searchHint: 'Nombre, teléfono, identificador',
  includeGroups: 'Con grupos',
  instance: 'Instancia',
  noInstance: 'Todavía no hay instancias',
  noInstanceText: 'Los contactos pertenecen a una instancia. Cree una primero.',
  empty: 'Ningún contacto aquí',
  emptyText: 'Guarde el primero, o cambie la búsqueda.',
  total: (count) => (count === '1' ? '1 contacto' : `${count} contactos`),
  columns: { name: 'Nombre', phone: 'Teléfono', notes: 'Notas', lastMessage: 'Último mensaje' },
  group: 'Grupo',
  actionsFor: (name) => `Acciones para ${name}`,
  edit: 'Editar',
  editTitle: (name) => `Editar ${name}`,
  name: 'Nombre',
  nameRequired: 'Dé un nombre al contacto.',
  phone: 'Número de teléfono',
  phoneHint: 'Con código de país, como 55 11 91234 5678',
  phoneRequired: 'Introduzca un número de teléfono.',
  notes: 'Notas',
  saved: 'Guardado.',
  remove: 'Eliminar',
  removeTitle: (name) => `¿Eliminar ${name}?`,
  removeText: 'El nombre y las notas se olvidan. La conversación queda.',
  removed: 'Eliminado.',
}
