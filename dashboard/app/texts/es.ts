// What stands around the pages: navigation, sign-in, switches.
import type { SameTexts } from '../../ui/language.tsx'
import type { shell as en } from './en.ts'

export const shell: SameTexts<typeof en> = {
  skip: 'Ir al contenido',
  navigation: 'Navegación principal',
  pages: {
    start: 'Inicio',
    overview: 'Resumen',
    instances: 'Instancias',
    instance: 'Instancia',
    conversations: 'Conversaciones',
    scheduled: 'Mensajes programados',
    approvals: 'Aprobaciones',
    group: 'Grupo',
    contacts: 'Contactos',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    destinations: 'Destinos',
    destination: 'Destino',
    events: 'Eventos',
    phone: 'Teléfono',
    account: 'Cuenta',
    authorize: 'Permitir un agente',
    operator: 'Operador',
    operatorAccount: 'Cuenta',
  },
  reference: 'Referencia de la API',
  menu: 'Menú',
  preferences: 'Idioma y apariencia',
  language: 'Idioma',
  theme: 'Apariencia',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  signOut: 'Cerrar sesión',
  live: {
    off: 'Sin conexión',
    connecting: 'Conectando…',
    live: 'En vivo',
    waiting: 'Actualización periódica',
  },
  palette: {
    open: 'Ir a …',
    title: 'Ir a un chat, una página o una acción',
    hint: 'Nombre, número, página o acción',
    found: 'Resultados',
    nothing: 'Nada coincide.',
    kinds: { chats: 'Chat', pages: 'Página', actions: 'Acción' },
    newChat: 'Nuevo chat',
    quickReplies: 'Editar respuestas rápidas',
  },
  notices: {
    title: 'Notificaciones de escritorio',
    choices: { off: 'Desactivadas', name: 'Sin el texto', text: 'Con el texto' },
    refused: 'El navegador no permite notificaciones de esta página.',
    newMessage: 'Mensaje nuevo',
  },
  notFound: 'Página no encontrada',
  notFoundText: 'El panel no tiene ninguna página en esta dirección.',
  home: (page) => `Ir a ${page}`,
  forbidden: {
    title: 'Su clave no puede abrir esta página',
    noPage: 'Su clave es para programas: no abre ninguna página del panel',
    scopes: (names) => `La página necesita el permiso ${names}.`,
    walls:
      'La clave está limitada a algunas instancias o chats, o sus mensajes necesitan aprobación. Esta página necesita una clave sin ese límite.',
    howTo: 'Quien administra las claves puede crear otra; después cierre la sesión y entre con ella.',
  },
  held: {
    title: 'Este gateway está suspendido.',
    reasons: {
      restored:
        'Su base de datos se restauró desde una copia de seguridad. Hasta que el operador reanude el gateway, no se conecta ninguna sesión, no se envía ningún mensaje y no se llama a ningún webhook.',
      sessions_off:
        'Se inició con SESSIONS=off: no se conecta ninguna sesión, no se envía ningún mensaje y no se llama a ningún webhook.',
    },
    toOperator: 'Ir a la página del operador',
  },
  signIn: {
    title: 'Iniciar sesión',
    lead: 'Introduzca una clave de API de su cuenta. La sesión dura 12 horas; el navegador no guarda la clave.',
    operatorTitle: 'Iniciar sesión como operador',
    operatorLead:
      'La clave del operador está en OPERATOR_KEY o en el archivo operator-key del directorio de datos.',
    key: 'Clave de API',
    keyHint:
      'En el primer arranque, la clave se muestra una vez y se guarda en el archivo first-api-key del directorio de datos.',
    operatorKey: 'Clave del operador',
    submit: 'Iniciar sesión',
    required: 'Introduzca una clave.',
    tooManyTries: (seconds) =>
      `Demasiadas claves incorrectas desde su dirección. Inténtelo de nuevo en ${seconds} s.`,
    asOperator: 'Iniciar sesión como operador',
    asAccount: 'Iniciar sesión con la clave de una cuenta',
  },
}
