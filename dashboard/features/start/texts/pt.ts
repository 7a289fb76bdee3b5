// The first run: from nothing to a message that arrived.
import type { SameTexts } from '../../../ui/language.tsx'
import type { firstRun as en } from './en.ts'

export const firstRun: SameTexts<typeof en> = {
  title: 'Sua primeira mensagem',
  lead: 'Quatro passos, menos de um minuto. Tudo isso também pode ser feito pela API.',
  skip: 'Pular por enquanto',
  finish: 'Ir para as instâncias',
  progress: (done: number, all: number) => `${done} de ${all} concluídos`,
  done: 'concluído',
  create: {
    title: 'Crie uma instância',
    text: 'Uma instância é um número de telefone com o qual você envia e recebe mensagens.',
    name: 'Nome',
    firstName: 'Meu primeiro número',
    submit: 'Criar',
    made: (name: string) => `${name} foi criada.`,
  },
  scan: {
    title: 'Conecte um telefone',
    text: 'Para conectar, um telefone lê o QR code da instância. Aqui, um telefone simulado faz isso, e nada sai desta máquina.',
    textReal: 'Leia o QR code da instância com o seu telefone, como ao conectar um computador.',
    submit: 'Ler com um telefone simulado',
    open: 'Mostrar o QR code',
    made: (number: string) => `Conectada como +${number}.`,
    ownPhone: 'Meu telefone',
    friend: 'Ana',
  },
  send: {
    title: 'Envie uma mensagem',
    text: (name: string) => `Ela vai para ${name}. O telefone aparece nesta página.`,
    textReal: 'Informe o número de alguém que aceitou receber suas mensagens.',
    number: 'Número, com o código do país',
    message: 'Mensagem',
    first: 'Olá do Switchboard 👋',
    submit: 'Enviar',
    made: 'Entregue.',
    under: 'Enviando…',
  },
  watch: {
    title: 'Veja o que acontece',
    text: 'Tudo o que acontece é um evento. Responda no telefone e veja o evento aparecer aqui. Um webhook envia os mesmos eventos ao seu servidor.',
    textReal: 'Tudo o que acontece é um evento. Um webhook envia os eventos ao seu servidor.',
    events: 'Eventos',
    none: 'Nenhum evento ainda.',
    webhook: 'Criar um webhook',
  },
}
