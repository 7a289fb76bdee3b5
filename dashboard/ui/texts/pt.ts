// What the parts in ui/ say.
import type { SameTexts } from '../language.tsx'
import type { ui as en } from './en.ts'

export const ui: SameTexts<typeof en> = {
  loading: 'Carregando…',
  retry: 'Tentar novamente',
  loadFailed: 'Não foi possível exibir esta página',
  loadFailedText:
    'O gateway pode ter sido atualizado, ou a conexão pode ter caído. Recarregue a página para continuar.',
  reload: 'Recarregar',
  copy: 'Copiar',
  copied: 'Copiado',
  dismiss: 'Dispensar',
  cancel: 'Cancelar',
  close: 'Fechar',
  save: 'Salvar',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Próxima',
  page: (page) => `Página ${page}`,
  actions: 'Ações',
  pickInstance: 'Digite um nome ou número para buscar',
  search: 'Buscar',
  noMatch: 'Nenhum resultado.',
  never: 'Nunca',
}
