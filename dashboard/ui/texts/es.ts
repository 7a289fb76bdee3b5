// What the parts in ui/ say.
import type { SameTexts } from '../language.tsx'
import type { ui as en } from './en.ts'

export const ui: SameTexts<typeof en> = {
  loading: 'Cargando…',
  retry: 'Reintentar',
  loadFailed: 'No se pudo mostrar esta página',
  loadFailedText:
    'Es posible que el gateway se haya actualizado o que la conexión se haya perdido. Recargue la página para continuar.',
  reload: 'Recargar',
  copy: 'Copiar',
  copied: 'Copiado',
  dismiss: 'Descartar',
  cancel: 'Cancelar',
  close: 'Cerrar',
  save: 'Guardar',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Siguiente',
  page: (page) => `Página ${page}`,
  actions: 'Acciones',
  pickInstance: 'Escriba un nombre o número para buscar',
  search: 'Buscar',
  noMatch: 'Sin resultados.',
  never: 'Nunca',
}
