<?php

declare(strict_types=1);

namespace Switchboard\Client;

/** Decides whether a failed call is repeated, and when. */
final class Retry
{
    private const FIRST_PAUSE_SECONDS = 0.5;
    private const LONGEST_BACKOFF_SECONDS = 8.0;
    /** What a proxy answers while the gateway does not answer. */
    private const PROXY_STATUSES = [502, 503, 504];

    /**
     * Seconds until the next attempt; null: the failure is final.
     *
     * With 429, and with 503 and `Retry-After`, the gateway did nothing, so every call may be repeated. Without an answer only
     * the calls are repeated that are safe to make twice: those that read, and those with an idempotency key.
     */
    public static function pauseBefore(
        SwitchboardException $failure,
        int $attempt,
        bool $isRepeatable,
        float $maxPauseSeconds,
    ): ?float {
        $isRefused = $failure->status === 429 || ($failure->status === 503 && $failure->retryAfterSeconds !== null);
        $isLost = $failure->reason === 'unreachable'
            || ($failure->reason === 'unreadable_answer' && in_array($failure->status, self::PROXY_STATUSES, true));
        if (!$isRefused && !($isLost && $isRepeatable) && $failure->reason !== 'idempotency_in_flight') {
            return null;
        }
        $pause = $failure->retryAfterSeconds ?? self::backoff($attempt);
        return $pause > $maxPauseSeconds ? null : (float) $pause;
    }

    /** Doubles from half a second, and is spread so that clients which failed together do not return together. */
    public static function backoff(int $attempt): float
    {
        $longest = min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_PAUSE_SECONDS * 2 ** $attempt);
        return $longest * (0.5 + random_int(0, 500) / 1000);
    }

    public static function isTemporary(SwitchboardException $failure): bool
    {
        return $failure->status === 0 || $failure->status === 429 || $failure->status >= 500;
    }
}
