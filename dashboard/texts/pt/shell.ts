// What stands around the pages: navigation, sign-in, switches.
import type { SameTexts } from '../../language.tsx'
import type { shell as en } from '../en/shell.ts'

export const shell: SameTexts<typeof en> = {
  skip: 'Ir para o conteúdo',
  navigation: 'Navegação principal',
  pages: {
    start: 'Início',
    instances: 'Instâncias',
    instance: 'Instância',
    conversations: 'Conversas',
    contacts: 'Contatos',
    webhooks: 'Webhooks',
    webhook: 'Webhook',
    events: 'Eventos',
    phone: 'Telefone',
    account: 'Conta',
    operator: 'Operador',
    operatorAccount: 'Conta',
  },
  reference: 'Referência da API',
  language: 'Idioma',
  theme: 'Aparência',
  themes: { system: 'Como o sistema', light: 'Claro', dark: 'Escuro' },
  signOut: 'Sair',
  live: { off: 'Sem conexão', connecting: 'Conectando …', live: 'Ao vivo', waiting: 'Atualização periódica' },
  notFound: 'Não há nada aqui',
  notFoundText: 'Este endereço não leva a nenhuma página do painel.',
  home: 'Para as instâncias',
  signIn: {
    title: 'Entrar',
    lead: 'Use uma chave de API da sua conta. Ela é trocada por um cookie que dura doze horas; a chave em si não é guardada.',
    operatorTitle: 'Entrar como operador',
    operatorLead:
      'A chave do operador está em OPERATOR_KEY ou no arquivo operator-key do diretório de dados.',
    key: 'Chave de API',
    keyHint: 'No primeiro início ela aparece uma vez e fica no arquivo first-api-key do diretório de dados.',
    operatorKey: 'Chave do operador',
    submit: 'Entrar',
    required: 'Informe uma chave.',
    tooManyTries: (seconds) => `Chaves erradas demais vindas do seu endereço. Tente de novo em ${seconds} s.`,
    asOperator: 'Entrar como operador',
    asAccount: 'Entrar com a chave de uma conta',
  },
}
