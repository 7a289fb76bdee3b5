// Refusals that people meet on the dashboard, by reason.
import type { SameTexts } from '../../language.tsx'
import type { refusals as en } from '../en/refusals.ts'

export const refusals: SameTexts<typeof en> = {
  unknown: 'Algo salió mal en esta página. Cárguela de nuevo.',
  reasons: {
    unauthorized: 'No ha iniciado sesión, o la clave ya no es válida.',
    rate_limited: 'Demasiados intentos. Espere un momento.',
    subscription_inactive: 'La suscripción de esta cuenta no está activa.',
    limit_reached: 'Su plan no permite más de estos.',
    scope_missing: 'La clave con la que entró no puede hacer eso.',
    csrf_failed: 'Su sesión cambió en otra pestaña. Cargue la página de nuevo.',
    instance_not_found: 'No existe esa instancia.',
    instance_still_connected: 'La instancia sigue conectada. Desconéctela primero y luego elimínela.',
    instance_not_connected: 'La instancia no está conectada. Conéctela primero.',
    instance_already_connected: 'La instancia ya está conectada.',
    webhook_not_found: 'Ese webhook no existe.',
    delivery_not_found: 'Esa entrega no existe. Quizá tenga más de 14 días.',
    contact_not_found: 'Ese contacto no existe.',
    webhook_exists: 'Ya existe un webhook con esta URL para las mismas instancias.',
    url_not_allowed: 'Esta URL no está permitida: debe ser HTTPS y llevar a una dirección pública.',
    last_key: 'Es la última clave que puede gestionar claves. Cree otra primero.',
    plan_in_use: 'Todavía hay cuentas con este plan.',
    account_has_instances: 'La cuenta todavía tiene instancias. Elimínelas primero.',
    unavailable: 'El gateway no puede hacer esto ahora. Inténtelo en breve.',
    network_timeout: 'La red de mensajería no respondió a tiempo.',
    internal: 'Algo salió mal en el servidor.',
    unreachable: 'El gateway no responde. ¿Está en marcha?',
  },
}
