// Refusals that people meet on the dashboard, by reason. What is not here is said in the gateway's own words.
export const refusals = {
  unknown: 'Something went wrong in this page. Load it again.',
  reasons: {
    unauthorized: 'You are not signed in, or the key is not valid any more.',
    rate_limited: 'Too many tries. Wait a moment.',
    subscription_inactive: 'The subscription of this account is not active.',
    limit_reached: 'Your plan does not allow more of these.',
    scope_missing: 'The key you signed in with may not do that.',
    csrf_failed: 'Your sign-in has changed in another tab. Load the page again.',
    instance_not_found: 'There is no such instance.',
    instance_still_connected: 'The instance is still connected. Log it out first, then delete it.',
    instance_not_connected: 'The instance is not logged in. Connect it first.',
    instance_already_connected: 'The instance is already connected.',
    last_key: 'This is the last key that may manage keys. Make another one first.',
    plan_in_use: 'Accounts still use this plan.',
    account_has_instances: 'The account still has instances. Delete them first.',
    unavailable: 'The gateway cannot do this right now. Try again shortly.',
    network_timeout: 'The messaging network did not answer in time.',
    internal: 'Something went wrong on the server.',
    unreachable: 'The gateway does not answer. Is it running?',
  },
}
