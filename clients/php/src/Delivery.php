<?php

declare(strict_types=1);

namespace Switchboard\Client;

/** Verifies the signature of a delivery. */
final class Delivery
{
    /** Limits replay attacks: a delivery with an older or newer timestamp is refused. */
    private const TOLERANCE_SECONDS = 300;
    private const SIGNATURE_HEADERS = ['x-service-signature', 'x-service-signature-previous'];

    /**
     * True only for a delivery that was recently signed with this secret. During a rotation the gateway signs with both secrets, so the
     * old one works until the overlap ends. Signatures are compared in constant time.
     *
     * @param string $body the raw body, as `file_get_contents('php://input')` gives it
     * @param array<string, string|list<string>> $headers of a PSR-7 request (`getHeaders()`), from `getallheaders()`, or `$_SERVER`
     */
    public static function verifyDelivery(
        string $body,
        array $headers,
        string $secret,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
        ?int $now = null,
    ): bool {
        $found = self::normalized($headers);
        $timestamp = $found['x-service-timestamp'] ?? '';
        if ($secret === '' || !preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
            return false;
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            return false;
        }
        $expected = hash_hmac('sha256', "$timestamp.$body", $secret);
        foreach (self::SIGNATURE_HEADERS as $name) {
            if (hash_equals($expected, $found[$name] ?? '')) {
                return true;
            }
        }
        return false;
    }

    /**
     * Names in lower case with hyphens. A repeated header counts as missing, because it is not clear which value applies.
     *
     * @param array<string, mixed> $headers
     * @return array<string, string>
     */
    private static function normalized(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $plain = strtolower(strtr(preg_replace('/^HTTP_/', '', (string) $name) ?? '', '_', '-'));
            $values = is_array($value) ? array_values($value) : [$value];
            if (count($values) === 1 && is_string($values[0])) {
                $found[$plain] = $values[0];
            }
        }
        return $found;
    }
}
