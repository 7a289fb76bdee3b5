// What the owner of the number can do with a chat.
import type { SameTexts } from '../../../../ui/language.tsx'
import type { chatSettings as en } from './en.ts'

export const chatSettings: SameTexts<typeof en> = {
  menu: 'Acciones del chat',
  choices: {
    archive: 'Archivar chat',
    unarchive: 'Desarchivar chat',
    mute: 'Silenciar',
    unmute: 'Activar notificaciones',
    pin: 'Fijar chat',
    unpin: 'Desfijar chat',
    markUnread: 'Marcar como no leído',
    markRead: 'Marcar como leído',
    timer: 'Mensajes temporales',
    clear: 'Vaciar chat',
  },
  done: {
    archive: 'El chat fue archivado.',
    unarchive: 'El chat está de nuevo en la lista.',
    mute: 'El chat fue silenciado.',
    unmute: 'El chat ya no está silenciado.',
    pin: 'El chat fue fijado.',
    unpin: 'El chat ya no está fijado.',
    markUnread: 'El chat fue marcado como no leído.',
    markRead: 'El chat fue marcado como leído.',
    timer: 'La duración fue cambiada.',
    clear: 'El chat fue vaciado.',
  },
  muteTitle: 'Silenciar chat',
  muteText: 'El teléfono no notifica los mensajes nuevos de este chat.',
  muteFor: 'Durante cuánto tiempo',
  muteTimes: { hours: '8 horas', week: '1 semana', always: 'Siempre' },
  timerTitle: 'Mensajes temporales',
  timerText:
    'Los mensajes nuevos de este chat desaparecen de los teléfonos después de este tiempo. El gateway conserva sus copias.',
  timerAfter: 'Los mensajes desaparecen después de',
  timers: { off: 'Nunca', day: '24 horas', week: '7 días', quarter: '90 días' },
  clearTitle: '¿Vaciar el chat?',
  clearText: (chat) =>
    `Todos los mensajes de ${chat} se eliminan en su teléfono y en el gateway. La otra parte conserva sus mensajes.`,
  muted: 'Silenciado',
  mutedUntil: (time) => `Silenciado hasta ${time}`,
  archived: 'Archivado',
  timerOn: (time) => `Los mensajes desaparecen después de ${time}`,
}
