-- The tables of Evolution API on MySQL or MariaDB that `import --from evolution` reads, one row of JSON a line (docs/moving.md).
SELECT JSON_OBJECT('table', 'Instance', 'row', JSON_OBJECT('id', id, 'name', name, 'token', token, 'integration', integration)) FROM Instance;
SELECT JSON_OBJECT('table', 'Session', 'row', JSON_OBJECT('sessionId', sessionId, 'creds', creds)) FROM Session;
SELECT JSON_OBJECT('table', 'Setting', 'row', JSON_OBJECT('instanceId', instanceId, 'rejectCall', rejectCall, 'msgCall', msgCall, 'groupsIgnore', groupsIgnore, 'alwaysOnline', alwaysOnline, 'readMessages', readMessages, 'syncFullHistory', syncFullHistory)) FROM Setting;
SELECT JSON_OBJECT('table', 'Webhook', 'row', JSON_OBJECT('instanceId', instanceId, 'url', url, 'enabled', enabled, 'headers', JSON_EXTRACT(headers, '$'), 'events', JSON_EXTRACT(events, '$'), 'webhookByEvents', webhookByEvents, 'webhookBase64', webhookBase64)) FROM Webhook;
SELECT JSON_OBJECT('table', 'Proxy', 'row', JSON_OBJECT('instanceId', instanceId, 'enabled', enabled, 'host', host, 'port', port, 'protocol', protocol, 'username', username, 'password', password)) FROM Proxy;
SELECT JSON_OBJECT('table', 'Contact', 'row', JSON_OBJECT('instanceId', instanceId, 'remoteJid', remoteJid, 'pushName', pushName)) FROM Contact;
