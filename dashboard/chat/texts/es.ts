// The status of a message, and why it failed.
import type { SameTexts } from '../../ui/language.tsx'
import type { chat as en } from './en.ts'

export const chat: SameTexts<typeof en> = {
  statuses: {
    awaiting_approval: 'Espera aprobación',
    scheduled: 'Programado',
    queued: 'En cola',
    sending: 'Enviando',
    sent: 'Enviado',
    delivered: 'Entregado',
    read: 'Leído',
    played: 'Escuchado',
    failed: 'Falló',
  },
  networkCode: (code) => `código de la red ${code}`,
  failures: {
    number_not_on_network: 'este número no está en la red',
    not_a_group_member: 'la instancia no está en este grupo, o el grupo no existe',
    rejected_by_network: 'rechazado por la red',
    account_restricted: 'la red no permite que esta cuenta inicie chats nuevos en este momento',
    media_unavailable: 'no se pudo descargar el archivo',
    media_too_large: 'el archivo es demasiado grande',
    expired: 'no se pudo enviar a tiempo',
    canceled: 'fue cancelado',
    rejected: 'fue rechazado',
    instance_deleted: 'la instancia fue eliminada',
    logged_out: 'se cerró la sesión de la instancia',
    target_not_sent: 'el mensaje al que se refiere no se envió',
    target_deleted: 'el mensaje al que se refiere se eliminó',
    no_recipients: 'ninguna persona de su audiencia está en la red',
    internal: 'error interno',
  },
}
