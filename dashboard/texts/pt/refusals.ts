// Refusals that people meet on the dashboard, by reason.
import type { SameTexts } from '../../language.tsx'
import type { refusals as en } from '../en/refusals.ts'

export const refusals: SameTexts<typeof en> = {
  unknown: 'Algo deu errado nesta página. Recarregue-a.',
  reasons: {
    unauthorized: 'Você não está conectado, ou a chave não é mais válida.',
    rate_limited: 'Tentativas demais. Aguarde um momento.',
    subscription_inactive: 'A assinatura desta conta não está ativa.',
    limit_reached: 'Seu plano não permite mais destes.',
    scope_missing: 'A chave com que você entrou não pode fazer isso.',
    csrf_failed: 'Sua sessão mudou em outra aba. Recarregue a página.',
    instance_not_found: 'Esta instância não existe.',
    instance_still_connected: 'A instância ainda está conectada. Desconecte-a primeiro, depois exclua.',
    instance_not_connected: 'A instância não está conectada. Conecte-a primeiro.',
    instance_already_connected: 'A instância já está conectada.',
    webhook_not_found: 'Este webhook não existe.',
    delivery_not_found: 'Esta entrega não existe. Talvez tenha mais de 14 dias.',
    contact_not_found: 'Este contato não existe.',
    webhook_exists: 'Já existe um webhook com esta URL para as mesmas instâncias.',
    url_not_allowed: 'Esta URL não é permitida: precisa ser HTTPS e levar a um endereço público.',
    last_key: 'Esta é a última chave que pode gerir chaves. Crie outra primeiro.',
    plan_in_use: 'Ainda há contas usando este plano.',
    account_has_instances: 'A conta ainda tem instâncias. Exclua-as primeiro.',
    unavailable: 'O gateway não pode fazer isso agora. Tente de novo em breve.',
    network_timeout: 'A rede de mensagens não respondeu a tempo.',
    internal: 'Algo deu errado no servidor.',
    unreachable: 'O gateway não responde. Ele está em execução?',
  },
}
