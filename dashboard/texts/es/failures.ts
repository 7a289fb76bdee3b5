// Why a message failed, by reason.
import type { SameTexts } from '../../language.tsx'
import type { failures as en } from '../en/failures.ts'

export const failures: SameTexts<typeof en> = {
  networkCode: (code) => `código de la red ${code}`,
  reasons: {
    number_not_on_network: 'nadie en la red tiene este número',
    rejected_by_network: 'la red lo rechazó',
    account_restricted: 'la red no deja que esta cuenta inicie chats nuevos ahora mismo',
    media_unavailable: 'no se pudo obtener el archivo',
    media_too_large: 'el archivo es demasiado grande',
    expired: 'no se pudo enviar en 24 horas',
    canceled: 'fue cancelado',
    instance_deleted: 'la instancia fue eliminada',
    logged_out: 'se cerró la sesión de la instancia',
    internal: 'algo falló internamente',
  },
}
