// Why a message failed, by reason.
import type { SameTexts } from '../../language.tsx'
import type { failures as en } from '../en/failures.ts'

export const failures: SameTexts<typeof en> = {
  networkCode: (code) => `código da rede ${code}`,
  reasons: {
    number_not_on_network: 'ninguém na rede tem este número',
    rejected_by_network: 'a rede a recusou',
    account_restricted: 'a rede não permite que esta conta inicie novas conversas agora',
    media_unavailable: 'o arquivo não pôde ser obtido',
    media_too_large: 'o arquivo é grande demais',
    expired: 'não pôde ser enviada em 24 horas',
    canceled: 'foi cancelada',
    instance_deleted: 'a instância foi excluída',
    logged_out: 'a instância foi desconectada',
    internal: 'algo deu errado internamente',
  },
}
