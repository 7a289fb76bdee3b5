// The first run: from nothing to a message that arrived.
import type { SameTexts } from '../../language.tsx'
import type { firstRun as en } from '../en/first-run.ts'

export const firstRun: SameTexts<typeof en> = {
  title: 'Sua primeira mensagem',
  lead: 'Quatro passos, menos de um minuto. Tudo aqui também pode ser feito pela API.',
  skip: 'Pular por enquanto',
  finish: 'Para as instâncias',
  link: 'Mostre como',
  progress: (done: number, all: number) => `${done} de ${all} feitos`,
  done: 'feito',
  create: {
    title: 'Crie uma instância',
    text: 'Uma instância é um número com o qual você envia.',
    name: 'Nome',
    firstName: 'Meu primeiro número',
    submit: 'Criar',
    made: (name: string) => `${name} está pronta.`,
  },
  scan: {
    title: 'Conecte um telefone',
    text: 'Um telefone escaneia o código da instância, como para um computador. Aqui um telefone da sandbox faz isso: nada sai desta máquina.',
    textReal: 'Escaneie o código da instância com o seu telefone, como para um computador.',
    submit: 'Escanear com um telefone da sandbox',
    open: 'Mostrar o código',
    made: (number: string) => `Conectada como +${number}.`,
    ownPhone: 'Meu telefone',
    friend: 'Ana',
  },
  send: {
    title: 'Envie uma mensagem',
    text: (name: string) => `Ela vai para ${name}, cujo telefone está ao lado.`,
    textReal: 'Informe um número para o qual você pode escrever.',
    number: 'Número, com o código do país',
    message: 'Mensagem',
    first: 'Olá do Switchboard 👋',
    submit: 'Enviar',
    made: 'Ela chegou.',
    under: 'A caminho …',
  },
  watch: {
    title: 'Veja o que acontece',
    text: 'Tudo o que acontece vira um evento. Responda no telefone ao lado e veja aqui; um webhook leva o mesmo ao seu servidor.',
    textReal: 'Tudo o que acontece vira um evento. Um webhook o leva ao seu servidor.',
    events: 'Eventos',
    none: 'Nada aconteceu ainda.',
    webhook: 'Criar um webhook',
  },
}
