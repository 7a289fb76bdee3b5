// The status of a message, and why it failed.
import type { SameTexts } from '../../ui/language.tsx'
import type { chat as en } from './en.ts'

export const chat: SameTexts<typeof en> = {
  statuses: {
    awaiting_approval: 'Aguarda aprovação',
    scheduled: 'Agendada',
    queued: 'Na fila',
    sending: 'Enviando',
    sent: 'Enviada',
    delivered: 'Entregue',
    read: 'Lida',
    played: 'Ouvida',
    failed: 'Falhou',
  },
  networkCode: (code) => `código da rede ${code}`,
  failures: {
    number_not_on_network: 'este número não está na rede',
    not_a_group_member: 'a instância não está neste grupo, ou o grupo não existe',
    rejected_by_network: 'recusada pela rede',
    account_restricted: 'a rede não permite que esta conta inicie novas conversas agora',
    media_unavailable: 'não foi possível baixar o arquivo',
    media_too_large: 'o arquivo é grande demais',
    expired: 'não pôde ser enviada a tempo',
    canceled: 'foi cancelada',
    rejected: 'foi rejeitada',
    instance_deleted: 'a instância foi excluída',
    logged_out: 'a instância foi desconectada',
    target_not_sent: 'a mensagem à qual se refere não foi enviada',
    target_deleted: 'a mensagem à qual se refere foi apagada',
    no_recipients: 'nenhuma pessoa do público está na rede',
    internal: 'erro interno',
  },
}
