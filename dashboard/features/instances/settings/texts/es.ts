// Settings and profile of an instance, in Spanish.
import type { settings as en } from './en.ts'

export const settings: typeof en = {
  settingsTitle: (name) => `Ajustes de ${name}`,
  behaviour: 'Comportamiento',
  rejectCalls: 'Rechazar llamadas entrantes',
  readOnReply: 'Marcar el chat como leído al enviar un mensaje',
  alwaysOnline: 'Aparecer siempre en línea (el teléfono deja de mostrar notificaciones)',
  ignoreGroups: 'Ignorar los mensajes de grupos',
  rejectCallsText: 'Mensaje para quien llama cuando se rechaza la llamada',
  rejectCallsHint: 'Si está vacío, no se envía nada.',
  syncHistory: 'Historial que se transfiere en la próxima vinculación',
  histories: { none: 'Ninguno', recent: 'Mensajes recientes', full: 'Todo lo que ofrece el teléfono' },
  proxy: 'Proxy',
  proxyHint:
    'http://, https:// o socks5://, con usuario y contraseña si hace falta. Todas las conexiones de esta instancia pasan por él. Si está vacío, no hay proxy.',
  deviceName: 'Nombre en la lista de dispositivos vinculados, desde la próxima vinculación',
  saved: 'Guardado.',
  profileTitle: (name) => `Perfil de ${name}`,
  name: 'Nombre que ven las demás personas',
  about: 'Info.',
  picture: 'Foto (JPEG o PNG)',
  removePicture: 'Quitar la foto',
  privacy: 'Privacidad',
  privacyOf: {
    lastSeen: 'Última vez',
    online: 'En línea',
    profilePicture: 'Foto',
    about: 'Info.',
    readReceipts: 'Confirmaciones de lectura',
    groupAdd: 'Quién puede añadir este número a grupos',
    calls: 'Quién puede llamar',
    messages: 'Quién puede escribir',
  },
  audiences: {
    all: 'Todos',
    contacts: 'Contactos',
    contact_blacklist: 'Contactos, con excepciones',
    none: 'Nadie',
    match_last_seen: 'Igual que la última vez',
    known: 'Números conocidos',
  },
}
